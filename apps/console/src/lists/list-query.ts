/** What a list needs of a query: a page of things, or what went wrong. Lists that have no further pages have no cursor. */
export interface ListQuery<Item> {
  data: { readonly value: { items: readonly Item[]; nextCursor?: string | null } | undefined };
  error: { readonly value: unknown };
  isPlaceholderData?: { readonly value: boolean };
  refetch: () => unknown;
}
