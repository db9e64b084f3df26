import type { WorkflowListItem } from '@medley/contracts';
import { useQueryClient } from '@tanstack/vue-query';
import { ref } from 'vue';
import { useI18n } from 'vue-i18n';
import { callApi } from '../../../api/api-client.js';
import { queryKeys } from '../../../api/query-keys.js';
import { confirmed, tellDone, tellProblem } from '../../../parts/notify.js';

/** Enables or disables all schedules of a workflow from its row; before disabling it says how many are hit. */
export function useScheduleSwitch() {
  const { t } = useI18n();
  const client = useQueryClient();
  const busy = ref<string | null>(null);

  async function toggle(workflow: WorkflowListItem): Promise<void> {
    const { id, name, enabledScheduleCount: count } = workflow;
    const enabled = count === 0;
    const isWanted =
      enabled ||
      (await confirmed(
        t('workflows.switchTitle', { name }),
        t('workflows.switchText', count),
        t('workflows.switchOff'),
        t('common.cancel'),
      ));
    if (!isWanted) return;
    busy.value = id;
    try {
      const { changed } = await callApi('switchSchedules', { body: { workflowId: id, enabled } });
      tellDone(t(enabled ? 'workflows.switchedOn' : 'workflows.switchedOff', { name, n: changed }, changed));
      await Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.workflows }),
        client.invalidateQueries({ queryKey: queryKeys.schedules }),
      ]);
    } catch (cause) {
      tellProblem(cause, t);
    } finally {
      busy.value = null;
    }
  }

  return { toggle, busy };
}
