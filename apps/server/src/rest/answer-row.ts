/** A database row as the API shows it: instants become ISO 8601 text, everything else stays. Columns are aliased to the contract's names in SQL. */
export function answerRow<Answer>(row: object): Answer {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, value instanceof Date ? value.toISOString() : value]),
  ) as Answer;
}
