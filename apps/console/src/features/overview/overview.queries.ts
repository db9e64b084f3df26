import { useQuery } from '@tanstack/vue-query';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

export function useOverview() {
  return useQuery({ queryKey: queryKeys.overview, queryFn: ({ signal }) => callApi('getOverview', { signal }), refetchInterval: 10_000 });
}
