import type { AuditEntity } from '@medley/contracts';
import { type Sql, uuidv7 } from '@medley/database';
import { type RecordedActor, recordDone } from './audit-log.js';
import { maskSecrets } from './mask-secrets.js';
import { userState } from './rules/access.rules.js';
import { capped, stateChange } from './state-change.js';

/** By what somebody has signed in. */
export type SignInMethod = 'password' | 'ldap' | 'oidc';

/** The call by which somebody signs in. */
export interface SignInCall {
  requestId: string;
  address: string;
}

type State = Readonly<Record<string, unknown>>;

/** A thing that a sign-in may change, as it is at a moment. */
interface Told {
  id: string;
  name: string;
  state: State;
}

/** What a provider has a say in: the user and the groups it belongs to. */
export interface ToldByProvider {
  /** Null before the first sign-in. */
  user: Told | null;
  groups: readonly Told[];
}

const groupsOfUser = `select g.id, g.name, jsonb_build_object('member', u.name, 'sources', jsonb_agg(m.source order by m.source)) as state
from group_members m join groups g on g.id = m.group_id join users u on u.id = m.user_id where m.user_id = $1 group by g.id, g.name, u.name order by g.id`;
const noMember: State = { member: null, sources: [] };

export async function readToldByProvider(sql: Sql, userId: string): Promise<ToldByProvider> {
  const [user] = await sql.query<Told>(userState, [userId]);
  return { user: user ?? null, groups: await sql.query<Told>(groupsOfUser, [userId]) };
}

/** Writes what a provider has changed of a user and its memberships, in the transaction that changes it. The user is who acts: nobody else was asked. */
export async function recordToldByProvider(
  sql: Sql,
  call: SignInCall,
  method: SignInMethod,
  was: ToldByProvider,
  is: ToldByProvider,
): Promise<void> {
  const user = is.user!;
  const actor: RecordedActor = { kind: 'user', userId: user.id, name: user.name, via: null, credentialId: null };
  const record = (action: string, entityType: AuditEntity, { id, name }: Told, before: State | null, after: State) =>
    recordChange(sql, call, actor, { action, entityType, id, name, before, after, method });
  await record(was.user ? 'patchUser' : 'createUser', 'user', user, was.user?.state ?? null, user.state);
  const before = new Map(was.groups.map((group) => [group.id, group]));
  for (const group of is.groups) {
    const earlier = before.get(group.id);
    // Under the name of before, since a rename of the user is no change of its memberships.
    const earlierState = earlier ? { ...earlier.state, member: group.state.member } : noMember;
    await record('addGroupMember', 'group', group, earlierState, group.state);
    before.delete(group.id);
  }
  for (const group of before.values()) await record('removeGroupMember', 'group', group, group.state, noMember);
}

/** Writes that somebody has signed in, in the transaction that opens the session. */
export async function recordSignIn(
  sql: Sql,
  call: SignInCall,
  method: SignInMethod,
  session: { id: string; userId: string },
): Promise<void> {
  const [user] = await sql.query<Told>(userState, [session.userId]);
  const actor: RecordedActor = { kind: 'user', userId: user!.id, name: user!.name, via: 'session', credentialId: session.id };
  const action = method === 'oidc' ? 'finishOidcSignIn' : 'login';
  await recordDone(
    sql,
    eventOf(call, actor, { action, entityType: 'user', id: user!.id, name: user!.name, before: null, after: { method } }),
  );
}

interface Change {
  action: string;
  entityType: AuditEntity;
  id: string;
  name: string;
  before: State | null;
  after: State | null;
}

/** Nothing where nothing differs. */
async function recordChange(
  sql: Sql,
  call: SignInCall,
  actor: RecordedActor,
  { method, ...change }: Change & { method: SignInMethod },
): Promise<void> {
  const { before, after } = stateChange(change.before, change.after);
  if (before === null && after === null) return;
  await recordDone(sql, eventOf(call, actor, { ...change, before, after: { ...after, toldBy: method } }));
}

function eventOf({ requestId, address }: SignInCall, actor: RecordedActor, change: Change) {
  const { action, entityType, id: entityId, name: entityName, before, after } = change;
  const common = { id: uuidv7(), projectId: null, requestId, address };
  return { ...common, action, actor, entityType, entityId, entityName, before: shown(before), after: shown(after) };
}

const shown = (state: State | null) => capped(maskSecrets(state) as State | null);
