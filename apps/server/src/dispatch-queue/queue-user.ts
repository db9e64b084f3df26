import { createHmac } from 'node:crypto';

export const QUEUE_PREFIX = 'medley';

/** The braces keep a node's keys in one slot of a Redis cluster. */
export function queueNameOf(nodeId: string): string {
  return `{node-${nodeId}}`;
}

export function queueUserOf(nodeId: string): string {
  return `medley-node-${nodeId}`;
}

/** Derived, not stored: every server computes the same one, also after Redis has lost its users. */
export function queuePasswordOf(secret: string, nodeId: string): string {
  return createHmac('sha256', secret).update(`queue ${nodeId}`).digest('base64url');
}

/** Arguments of ACL SETUSER: what a BullMQ worker needs, on this node's keys only. */
export function queueUserRules(secret: string, nodeId: string): string[] {
  const commands =
    '+@hash +@list +@set +@sortedset +@stream +@string +del +unlink +exists +pttl +ttl +pexpire +expire +type +bzpopmin +evalsha +eval +hello +auth +ping +quit +client|setname -@dangerous +info';
  return [
    queueUserOf(nodeId),
    'reset',
    'on',
    `>${queuePasswordOf(secret, nodeId)}`,
    'resetchannels',
    `~${QUEUE_PREFIX}:${queueNameOf(nodeId)}:*`,
    '-@all',
    ...commands.split(' '),
  ];
}
