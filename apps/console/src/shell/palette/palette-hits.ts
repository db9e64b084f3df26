import { Connection, Cpu, Files, Timer, VideoPause, VideoPlay } from '@element-plus/icons-vue';
import type { SearchHit } from '@medley/contracts';
import { isTerminalRunState, type RunState } from '@medley/core';
import type { Component } from 'vue';
import { useI18n } from 'vue-i18n';
import { useRouter } from 'vue-router';
import { cancelRun } from '../../features/runs/runs.api.js';
import { shortId } from '../../format/quantity.js';
import { confirmed, tellDone, tellProblem } from '../../parts/notify.js';
import type { AnyState } from '../../status/status-catalogue.js';
import { type PaletteEntry, placeOf } from './palette-entry.js';
import { startingWorkflow } from './palette-state.js';
import { remember } from './recent-hits.js';

const icons: Record<SearchHit['kind'], Component> = { workflow: Files, run: VideoPlay, schedule: Timer, node: Cpu, pool: Connection };

/** Lines for what the server found: the way there, and what can be done with it. */
export function useHitEntries() {
  const { t } = useI18n();
  const router = useRouter();

  function wayTo(hit: SearchHit, group: 'recent' | 'found'): PaletteEntry {
    const isRun = hit.kind === 'run';
    return {
      key: `${group} ${hit.id}`,
      group,
      title: isRun ? `${hit.within} ${shortId(hit.id)}` : hit.name,
      detail: [t(`palette.kind.${hit.kind}`), isRun ? '' : hit.within].filter((part) => part !== '').join(' · '),
      icon: icons[hit.kind],
      // A run that is remembered may have gone on since.
      state: isRun && group === 'found' ? (hit.state as AnyState) : undefined,
      perform: async () => {
        remember(hit);
        await router.push(placeOf(hit));
      },
    };
  }

  async function cancel(hit: SearchHit): Promise<void> {
    const text = t('palette.cancelText', { name: hit.within, id: shortId(hit.id) });
    if (!(await confirmed(t('runs.cancelTitle'), text, t('runs.cancelYes'), t('runs.cancelNo')))) return;
    try {
      await cancelRun(hit.id);
      tellDone(t('palette.cancelled', { name: hit.within }));
    } catch (error) {
      tellProblem(error, t);
    }
  }

  function start(hit: SearchHit): void {
    startingWorkflow.value = hit.id;
  }

  function actionOn(hit: SearchHit): PaletteEntry[] {
    if (hit.kind === 'workflow') {
      const title = `${t('palette.verb.run')} ${hit.name}`;
      return [{ key: `run ${hit.id}`, group: 'actions', title, icon: VideoPlay, perform: () => start(hit) }];
    }
    if (hit.kind !== 'run' || isTerminalRunState(hit.state as RunState)) return [];
    const title = `${t('palette.verb.cancel')} ${hit.within} ${shortId(hit.id)}`;
    return [{ key: `cancel ${hit.id}`, group: 'actions', title, icon: VideoPause, perform: () => cancel(hit) }];
  }
  return { wayTo, actionOn };
}
