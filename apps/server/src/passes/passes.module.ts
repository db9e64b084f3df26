import { Inject, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import type { Logger } from 'pino';
import type { Subscription } from 'rxjs';
import { ServerConfig } from '../config.js';
import { DispatchQueueModule } from '../dispatch-queue/dispatch-queue.module.js';
import { SAMPLE_SECONDS } from '../history/node-samples.repository.js';
import { LOGGER } from '../logging/logger.js';
import { PlacementEngine } from '../placement-worker/placement-engine.js';
import { SettlementModule } from '../settlement/settlement.module.js';
import { type Wake, WakeBus } from '../wake/wake-bus.js';
import { DispatchRelay } from './dispatch-relay.js';
import { FirePass } from './fire.pass.js';
import { type PassResult, PassRunner } from './pass-runner.js';
import { PlacePass } from './place.pass.js';
import { PrunePass } from './prune.pass.js';
import { ReapPass } from './reap.pass.js';
import { ReconcilePass } from './reconcile.pass.js';
import { RelayPass } from './relay.pass.js';
import { RetryPass } from './retry.pass.js';
import { SamplePass } from './sample.pass.js';

type WakingTopic = Exclude<Wake['topic'], 'work'>;

interface Pass {
  run(): Promise<PassResult>;
}

/** The background passes: each at its interval and when it is woken, on every server alike. */
@Module({
  imports: [ScheduleModule.forRoot(), DispatchQueueModule, SettlementModule],
  providers: [PlacementEngine, DispatchRelay, FirePass, PlacePass, RelayPass, RetryPass, ReapPass, ReconcilePass, PrunePass, SamplePass],
})
export class PassesModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly runners: { name: string; everyMs: number; runner: PassRunner; wokenBy: WakingTopic | null }[];
  private wakes: Subscription | null = null;

  constructor(
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
    @Inject(SchedulerRegistry) private readonly registry: SchedulerRegistry,
    @Inject(ServerConfig) config: ServerConfig,
    @Inject(LOGGER) logger: Logger,
    @Inject(FirePass) fire: FirePass,
    @Inject(PlacePass) place: PlacePass,
    @Inject(RelayPass) relay: RelayPass,
    @Inject(RetryPass) retry: RetryPass,
    @Inject(ReapPass) reap: ReapPass,
    @Inject(ReconcilePass) reconcile: ReconcilePass,
    @Inject(PrunePass) prune: PrunePass,
    @Inject(SamplePass) sample: SamplePass,
  ) {
    const entry = (name: string, everyMs: number, pass: Pass, wokenBy: WakingTopic | null = null) => ({
      name,
      everyMs,
      runner: new PassRunner(name, () => pass.run(), logger),
      wokenBy,
    });
    this.runners = [
      entry('fire', 5000, fire, 'fire'),
      entry('place', 5000, place, 'place'),
      entry('relay', 5000, relay, 'relay'),
      entry('retry', 5000, retry, 'retry'),
      entry('reap', reapIntervalMs(config.leaseSeconds), reap),
      entry('reconcile', 10_000, reconcile),
      entry('prune', 3_600_000, prune),
      // Twice as often as samples are taken, so that none is missed between two ticks.
      entry('sample', (SAMPLE_SECONDS * 1000) / 2, sample),
    ];
  }

  onApplicationBootstrap(): void {
    this.wakes = this.wakeBus.heard.subscribe((wake) => {
      for (const { runner, wokenBy } of this.runners) if (wokenBy === wake.topic) runner.wake();
    });
    for (const { name, everyMs, runner } of this.runners) {
      runner.wake();
      this.registry.addInterval(`pass ${name}`, setInterval(runner.wake, everyMs));
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.wakes?.unsubscribe();
    for (const { name } of this.runners) {
      const interval = `pass ${name}`;
      if (this.registry.doesExist('interval', interval)) this.registry.deleteInterval(interval); // the schedule module may have been stopped first
    }
    await Promise.all(this.runners.map(({ runner }) => runner.stop()));
  }
}

/** Often enough that a lease is noticed within a thirtieth of its length, and not so often that an idle server shows it. */
function reapIntervalMs(leaseSeconds: number): number {
  return Math.min(2000, Math.max(250, (leaseSeconds * 1000) / 30));
}
