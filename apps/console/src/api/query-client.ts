import { QueryClient } from '@tanstack/vue-query';
import { ApiProblem } from './api-problem.js';

/** Refusals are answers and are not asked again; only a missing or failing server is. */
function isWorthAnotherTry(failures: number, error: unknown): boolean {
  if (error instanceof ApiProblem && error.status >= 400 && error.status < 500) return false;
  return failures < 2;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 5 * 60_000,
      retry: isWorthAnotherTry,
      refetchOnWindowFocus: true,
      structuralSharing: true,
      shallow: true,
    },
    mutations: { retry: false },
  },
});
