/** How fast a node `n` is, in SQL: what the operator declared, else what its agent measured, else that of the reference. 0 means never picked. */
export const nodeSpeed = `coalesce(n.declared_speed, (n.measured->>'allCores')::float8, 1)`;
