import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Logger } from 'pino';
import type { ChangeEvent } from './change-event.js';
import type { Wake, WakeBus, WakePeers } from './wake-bus.js';

const CHANNEL = 'medley_wake';
const COALESCE_MS = 5;
/** Postgres refuses payloads of 8000 bytes and more. */
const MAX_PAYLOAD_BYTES = 7500;
const PRESENCE_MS = 5000;
const RECONNECT_MS = 1000;
/** A connection that does not answer for so long is given up: a frozen host closes nothing. */
const PATIENCE_MS = 5000;

interface Message {
  from: string;
  wakes: Wake[];
  changes: ChangeEvent[];
}

/**
 * Carries wake-ups between servers by NOTIFY on a connection of its own, outside data transactions, coalesced. While no other server listens nothing is
 * sent: NOTIFY takes a cluster-wide lock.
 */
export class PostgresPeers implements WakePeers {
  private readonly self = randomUUID();
  private readonly wakes = new Map<string, Wake>();
  private readonly changes = new Map<string, ChangeEvent>();
  private client: Client | null = null;
  private asking: Promise<unknown> = Promise.resolve();
  private othersListen = false;
  private flushTimer: NodeJS.Timeout | null = null;
  private presenceTimer: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(
    private readonly url: string,
    private readonly bus: WakeBus,
    private readonly logger: Logger,
  ) {}

  start(): void {
    void this.connect();
    this.presenceTimer = setInterval(() => void this.lookForOthers(), PRESENCE_MS);
  }

  async stop(): Promise<void> {
    this.closed = true;
    if (this.presenceTimer) clearInterval(this.presenceTimer);
    if (this.flushTimer) clearTimeout(this.flushTimer);
    await this.client?.end().catch(() => {});
  }

  send(wakes: readonly Wake[], changes: readonly ChangeEvent[]): void {
    if (!this.othersListen) return;
    for (const wake of wakes) this.wakes.set(wake.topic === 'work' ? `work ${wake.nodeId}` : wake.topic, wake);
    for (const change of changes) this.changes.set(`${change.entity} ${change.id}`, change);
    this.flushTimer ??= setTimeout(() => void this.flush(), COALESCE_MS);
  }

  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.url,
      application_name: CHANNEL,
      keepAlive: true,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    client.on('error', () => {});
    client.on('notification', (notification) => this.receive(notification.payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      this.logger.warn({ err: error }, 'the wake-up connection to Postgres failed; passes go on at their intervals');
      await client.end().catch(() => {});
      this.reconnectLater();
      return;
    }
    if (this.closed) return client.end();
    this.client = client;
    client.once('end', () => {
      this.client = null;
      this.reconnectLater();
    });
    await this.notify({ from: this.self, wakes: [], changes: [] });
    await this.lookForOthers();
    this.bus.hear([{ topic: 'place' }, { topic: 'fire' }, { topic: 'retry' }, { topic: 'unplaced' }], []);
  }

  private reconnectLater(): void {
    if (!this.closed) setTimeout(() => !this.closed && void this.connect(), RECONNECT_MS).unref();
  }

  private receive(payload: string): void {
    const message = read(payload);
    if (!message || message.from === this.self) return;
    this.othersListen = true;
    this.bus.hear(message.wakes, message.changes);
  }

  /** Sends what was collected. What comes meanwhile is collected for the next time, so that a slow Postgres makes larger messages, not more. */
  private async flush(): Promise<void> {
    const message: Message = { from: this.self, wakes: [...this.wakes.values()], changes: [...this.changes.values()] };
    this.wakes.clear();
    this.changes.clear();
    for (const part of split(message)) await this.notify(part);
    const more = !this.closed && this.wakes.size + this.changes.size > 0;
    this.flushTimer = more ? setTimeout(() => void this.flush(), COALESCE_MS) : null;
  }

  private async notify(message: Message): Promise<void> {
    await this.ask('medley-notify', 'select pg_notify($1, $2)', [CHANNEL, JSON.stringify(message)]);
  }

  private async lookForOthers(): Promise<void> {
    const rows = await this.ask<{ count: number }>(
      'medley-peers',
      'select count(*)::int as count from pg_stat_activity where application_name = $1 and datname = current_database()',
      [CHANNEL],
    );
    if (rows) this.othersListen = rows[0]!.count > 1;
  }

  /** One statement after the other, each prepared once under its name; null while there is no connection, and when it failed, which ends the connection. */
  private ask<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[] | null> {
    const answer = this.asking.then(async () => {
      const { client } = this;
      if (!client) return null;
      try {
        return (await client.query<Row>({ name, text, values })).rows;
      } catch {
        void client.end().catch(() => {});
        return null;
      }
    });
    this.asking = answer;
    return answer;
  }
}

/** Null for what no server of ours has sent: anyone who may connect to the database may notify. */
function read(payload: string): Message | null {
  try {
    const message = JSON.parse(payload) as Message;
    return Array.isArray(message.wakes) && Array.isArray(message.changes) ? message : null;
  } catch {
    return null;
  }
}

/** Halves a message until each part is small enough for one NOTIFY. */
function split(message: Message): Message[] {
  if (JSON.stringify(message).length <= MAX_PAYLOAD_BYTES) return [message];
  const { from, wakes, changes } = message;
  const half = (list: unknown[]) => Math.ceil(list.length / 2);
  const first = { from, wakes: wakes.slice(0, half(wakes)), changes: changes.slice(0, half(changes)) };
  const second = { from, wakes: wakes.slice(half(wakes)), changes: changes.slice(half(changes)) };
  return [...split(first), ...split(second)];
}
