import { type Approval, type ApprovalQuery, PAGE_LIMIT_MAX, type Page } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

/** Live events carry changes; this only mends what a lost one would leave stale. */
const mendMs = 30_000;

export function useApprovals(query: Ref<Partial<ApprovalQuery>>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.approvals, query.value]),
    queryFn: ({ signal }) => callApi('listApprovals', { query: query.value, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: mendMs,
  });
}

/** How many approvals wait for the reader, as a page holds them: `200+` when there are more; empty when there are none. */
export function useOwnApprovalCount() {
  const { data } = useApprovals(computed(() => ({ mine: true, limit: PAGE_LIMIT_MAX })));
  return computed(() => countText(data.value));
}

function countText(page: Page<Approval> | undefined): string {
  if (page === undefined || page.items.length === 0) return '';
  return `${page.items.length}${page.nextCursor === null ? '' : '+'}`;
}

export function useDecision() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, decision, comment }: { id: string; decision: 'approve' | 'reject'; comment: string }) =>
      callApi('decideApproval', { params: { id }, body: { decision, comment } }),
    onSuccess: (taskRun) =>
      Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.approvals }),
        client.invalidateQueries({ queryKey: queryKeys.run(taskRun.runId) }),
        client.invalidateQueries({ queryKey: queryKeys.taskRun(taskRun.id) }),
      ]),
  });
}
