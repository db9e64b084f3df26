import type { PutSavedView, SavedView } from '@medley/contracts';
import { useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../api/api-client.js';

/** The reader's saved views of a page, and how to change them. */
export function useSavedViews(page: Ref<string>) {
  const client = useQueryClient();
  const key = computed(() => ['saved-views', page.value]);
  const list = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi('listSavedViews', { query: { page: page.value }, signal }),
  });

  const again = <Answer>(change: Promise<Answer>) => change.finally(() => client.invalidateQueries({ queryKey: key.value }));
  return {
    list,
    create: (body: PutSavedView) => again(callApi('createSavedView', { body })),
    change: (id: string, body: PutSavedView) => again(callApi('putSavedView', { params: { id }, body })),
    remove: (view: SavedView) => again(callApi('removeSavedView', { params: { id: view.id } })),
  };
}
