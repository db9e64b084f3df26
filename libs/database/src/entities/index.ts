/** Entities of the tables that are read and written row by row; the passes use SQL. */
export const entities: (new () => object)[] = [];
