import type { SwitchSchedules } from '@medley/contracts';
import { useQueryClient } from '@tanstack/vue-query';
import { useI18n } from 'vue-i18n';
import { callApi } from '../../../api/api-client.js';
import { queryKeys } from '../../../api/query-keys.js';
import { confirmed, tellDone, tellProblem } from '../../../parts/notify.js';

/** Switches many schedules: counts first, says the count, and does it on confirmation. Resolves to whether it was done. */
export function useBulkSwitch() {
  const { t } = useI18n();
  const client = useQueryClient();

  return async (order: Omit<SwitchSchedules, 'dryRun'>): Promise<boolean> => {
    try {
      const counted = await callApi('switchSchedules', { body: { ...order, dryRun: true } });
      const title = t(order.enabled ? 'schedules.bulkTitleOn' : 'schedules.bulkTitleOff');
      const text = t('schedules.bulkText', { changed: counted.changed, matched: counted.matched });
      if (!(await confirmed(title, text, t(order.enabled ? 'schedules.enable' : 'schedules.disable'), t('common.cancel')))) return false;
      const { changed } = await callApi('switchSchedules', { body: order });
      tellDone(t('schedules.bulkDone', changed));
      await Promise.all([queryKeys.schedules, queryKeys.workflows].map((queryKey) => client.invalidateQueries({ queryKey })));
      return true;
    } catch (cause) {
      tellProblem(cause, t);
      return false;
    }
  };
}
