/** Leases short enough for a test to outlive them, and long enough for a machine that runs other tests beside. */
export const shortLease = {
  MEDLEY_HEARTBEAT_SECONDS: '1',
  MEDLEY_UNREACHABLE_SECONDS: '4',
  MEDLEY_LEASE_SECONDS: '8',
};
export const shortLeaseSeconds = 8;
