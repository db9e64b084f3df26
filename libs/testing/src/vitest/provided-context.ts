declare module 'vitest' {
  /** What the integration project's global set-up hands to tests through `inject`. */
  interface ProvidedContext {
    /** A database of the Postgres that all integration tests share; `createTestDatabase` makes others beside it. */
    postgresUrl: string;
    redisUrl: string | null;
  }
}

export {};
