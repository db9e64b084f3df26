import { useQuery } from '@tanstack/vue-query';
import { callApi } from '../../api/api-client.js';

/** The ways to sign in at this installation. */
export function useSignInMethods() {
  return useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: ({ signal }) => callApi('listSignInMethods', { signal }),
    staleTime: 60_000,
  });
}
