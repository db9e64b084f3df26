/** How a child process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly exit: Exit | null;
  readonly exited: Promise<Exit>;
  readonly output: string;
  readonly isRunning: boolean;
  signal(signal: NodeJS.Signals): boolean;
  stop(options?: { signal?: NodeJS.Signals; graceMs?: number }): Promise<Exit>;
  kill9(): Promise<Exit>;
}

export interface ChildOptions {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly logFile?: string;
  readonly input?: string;
}

export function startChild(options: ChildOptions): Child;
export function diesWithParent(signal: NodeJS.Signals, argv: readonly string[]): string[];
export function untilReady<T>(
  child: Child,
  condition: () => T | Promise<T>,
  options?: { timeoutMs?: number; pollMs?: number },
): Promise<NonNullable<T>>;

export function freePort(host?: string): Promise<number>;
export function isPortFree(port: number, host?: string): Promise<boolean>;
export function nextFreePort(from: number, host?: string, tries?: number): Promise<number | null>;

/** What Postgres and Redis have in common once they run. */
export interface Service {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly child: Child;
  stop(): Promise<Exit>;
  kill9(): Promise<Exit>;
  start(): Promise<void>;
}

export interface PostgresOptions {
  readonly directory: string;
  readonly port?: number;
  readonly durable?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  readonly logFile?: string;
}

export function startPostgres(options: PostgresOptions): Promise<Service>;

export interface RedisOptions {
  readonly directory: string;
  readonly port?: number;
  readonly password?: string;
  readonly program?: string | null;
  readonly logFile?: string;
}

export function findRedis(options?: { install?: boolean; log?: (line: string) => void }): string | null;
export function startRedis(options: RedisOptions): Promise<Service>;

export interface ProcessFacts {
  readonly pid: number;
  readonly state: string;
  readonly parentPid: number;
  readonly session: number;
  readonly startTime: number;
  readonly command: readonly string[];
  readonly environment: readonly string[];
}

export function listProcesses(): ProcessFacts[];
export function readProcess(pid: number): ProcessFacts | null;
export function isSameProcess(pid: number, startTime: number): boolean;
export function workingDirectory(pid: number): string | null;

export function findProgram(name: string): string | null;
export function isRoot(): boolean;
