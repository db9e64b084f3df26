/** What an operator can tell a node. */
export const serviceActions = ['cordon', 'uncordon', 'drain', 'undrain'] as const;
export type ServiceAction = (typeof serviceActions)[number];

/** The change of a node that an action means. */
export function serviceChange(action: ServiceAction): { cordoned: boolean } | { draining: boolean } {
  return action === 'cordon' || action === 'uncordon' ? { cordoned: action === 'cordon' } : { draining: action === 'drain' };
}
