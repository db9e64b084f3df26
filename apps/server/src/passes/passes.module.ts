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
import { AdmitPass } from './admit.pass.js';
import { ArchivePass } from './archive.pass.js';
import { BackfillPass } from './backfill.pass.js';
import { DeadlinePass } from './deadline.pass.js';
import { DispatchRelay } from './dispatch-relay.js';
import { type AskedPass, DueWork } from './due-work.js';
import { FirePass } from './fire.pass.js';
import { type PassResult, PassRunner } from './pass-runner.js';
import { PlacePass } from './place.pass.js';
import { PrunePass } from './prune.pass.js';
import { ReapPass } from './reap.pass.js';
import { ReconcilePass } from './reconcile.pass.js';
import { RelayPass } from './relay.pass.js';
import { RetryPass } from './retry.pass.js';
import { SamplePass } from './sample.pass.js';
import { UnplacedPass } from './unplaced.pass.js';
import { UpstreamPass } from './upstream.pass.js';
import { WatchPass } from './watch.pass.js';

type WakingTopic = Exclude<Wake['topic'], 'work'>;

/** Wake-ups and the timers of the passes carry the normal case; this finds what they missed. */
const ASK_MS = 5000;

interface Pass {
  run(): Promise<PassResult>;
}

/** The background passes: each when it is woken and at its interval, or when one question for all finds something for it; on every server alike. */
@Module({
  imports: [ScheduleModule.forRoot(), DispatchQueueModule, SettlementModule],
  providers: [
    PlacementEngine,
    DispatchRelay,
    DueWork,
    FirePass,
    BackfillPass,
    AdmitPass,
    PlacePass,
    RelayPass,
    RetryPass,
    UnplacedPass,
    DeadlinePass,
    WatchPass,
    UpstreamPass,
    ReapPass,
    ReconcilePass,
    PrunePass,
    SamplePass,
    ArchivePass,
  ],
})
export class PassesModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly runners: { name: string; everyMs: number | null; runner: PassRunner; wokenBy: WakingTopic | null }[];
  private wakes: Subscription | null = null;

  constructor(
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
    @Inject(SchedulerRegistry) private readonly registry: SchedulerRegistry,
    @Inject(ServerConfig) config: ServerConfig,
    @Inject(LOGGER) logger: Logger,
    @Inject(DueWork) dueWork: DueWork,
    @Inject(FirePass) fire: FirePass,
    @Inject(BackfillPass) backfill: BackfillPass,
    @Inject(AdmitPass) admit: AdmitPass,
    @Inject(PlacePass) place: PlacePass,
    @Inject(RelayPass) relay: RelayPass,
    @Inject(RetryPass) retry: RetryPass,
    @Inject(UnplacedPass) unplaced: UnplacedPass,
    @Inject(DeadlinePass) deadline: DeadlinePass,
    @Inject(WatchPass) watch: WatchPass,
    @Inject(UpstreamPass) upstream: UpstreamPass,
    @Inject(ReapPass) reap: ReapPass,
    @Inject(ReconcilePass) reconcile: ReconcilePass,
    @Inject(PrunePass) prune: PrunePass,
    @Inject(SamplePass) sample: SamplePass,
    @Inject(ArchivePass) archive: ArchivePass,
  ) {
    const entry = (name: string, everyMs: number | null, pass: Pass, wokenBy: WakingTopic | null = null) => ({
      name,
      everyMs,
      runner: new PassRunner(name, () => pass.run(), logger),
      wokenBy,
    });
    this.runners = [
      entry('ask', ASK_MS, { run: () => this.wakeDuePasses(dueWork) }),
      entry('fire', null, fire, 'fire'),
      entry('backfill', null, backfill, 'backfill'),
      entry('admit', null, admit, 'admit'),
      entry('place', null, place, 'place'),
      entry('relay', null, relay, 'relay'),
      entry('retry', null, retry, 'retry'),
      entry('unplaced', null, unplaced, 'unplaced'),
      entry('deadline', ASK_MS, deadline),
      entry('watch', null, watch, 'watch'),
      entry('upstream', null, upstream, 'upstream'),
      entry('reap', reapIntervalMs(config.leaseSeconds), reap),
      entry('reconcile', 10_000, reconcile),
      entry('prune', 3_600_000, prune),
      // Twice as often as samples are taken, so that none is missed between two ticks.
      entry('sample', (SAMPLE_SECONDS * 1000) / 2, sample),
      entry('archive', 300_000, archive),
    ];
  }

  onApplicationBootstrap(): void {
    this.wakes = this.wakeBus.heard.subscribe((wake) => {
      for (const { runner, wokenBy } of this.runners) if (wokenBy === wake.topic) runner.wake();
    });
    for (const { name, everyMs, runner } of this.runners) {
      runner.wake();
      if (everyMs !== null) this.registry.addInterval(`pass ${name}`, setInterval(runner.wake, everyMs));
    }
  }

  private async wakeDuePasses(dueWork: DueWork): Promise<PassResult> {
    const due = await dueWork.within(ASK_MS / 1000);
    for (const { name, runner } of this.runners) if (due.includes(name as AskedPass)) runner.wake();
    return {};
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
