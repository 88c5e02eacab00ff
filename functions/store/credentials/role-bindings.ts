import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { matches, type Revisions } from '../../../shared/http/etag.ts';
import { ABSENT, equals, stale } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { grantedRoles } from '../../../shared/auth/roles.ts';
import { type Claims, combinedGrant, type Grant, narrows, sufficientBindings } from '../../domain/access/grant.ts';
import { MAX_ROLE_BINDINGS } from '../../domain/access/role-binding.ts';
import { type AccessContext, accessStep } from '../audit/access-events.ts';
import { roleBindingKey, ROLE_BINDING_PREFIX, ROLE_BINDINGS_PARTITION } from '../table/keys.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { additionStep } from '../table/additions.ts';
import { queryCount, queryUpTo, readCollection, readItem } from '../table/read.ts';
import { bindingVersion, narrowedVersion } from '../entities/binding-versions.ts';
import type { BindingVersions } from '../entities/write-context.ts';
import { changeCredentials } from './change-credentials.ts';

const bindingSchema = z.object({
  name: z.string(),
  provider: z.string(),
  claims: z.record(z.string(), z.array(z.string())),
  role: openEnum(grantedRoles),
  owners: z.optional(z.array(z.string())),
  node_name_claim: z.optional(z.string()),
  description: z.optional(z.string()),
  created_by: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  created_at: z.string(),
  updated_at: z.string(),
  revision: z.int(),
  /** Since the first change that narrowed it: credentials that rest on another version have ended. */
  version: z.optional(z.string()),
});

/** A role for the identities of a provider with some claims. Its name is its id. */
export type RoleBinding = z.output<typeof bindingSchema>;

const notFoundBinding = (name: string) => new ApiError('notFound', `Role binding with ID "${name}" not found.`);

/** @throws ApiError `notFound`. One strongly consistent read. */
export async function getRoleBinding(table: Table, name: string): Promise<RoleBinding> {
  const item = await readItem(table, roleBindingKey(name));
  if (item === undefined) throw notFoundBinding(name);
  return z.parse(bindingSchema, item);
}

/** The bindings by name. One query. */
export async function listRoleBindings(table: Table, { size, after }: PageOptions): Promise<Page<RoleBinding>> {
  const { items, more } = await queryUpTo(table, {
    partition: ROLE_BINDINGS_PARTITION,
    sort: ROLE_BINDING_PREFIX,
    ConsistentRead: true,
    size,
    ExclusiveStartKey: after && roleBindingKey(after[0]),
  });
  const bindings = items.map((item) => z.parse(bindingSchema, item));
  const last = bindings.at(-1)?.name;
  return { objects: bindings, next: more && last !== undefined ? [last, last] : undefined };
}

/** The bindings of a provider by name. One strongly consistent query of all bindings. */
export async function bindingsOf(table: Table, provider: string): Promise<RoleBinding[]> {
  const items = await readCollection(table, ROLE_BINDINGS_PARTITION, ROLE_BINDING_PREFIX);
  return items.map((item) => z.parse(bindingSchema, item)).filter((binding) => binding.provider === provider);
}

/**
 * The role and the owners of an identity, and the bindings that give them. One query.
 *
 * @param claims of a token that was verified.
 * @returns undefined when no binding matches: no access.
 */
export async function grantOf(table: Table, provider: string, claims: Claims): Promise<Grant<RoleBinding> | undefined> {
  return combinedGrant(await bindingsOf(table, provider), claims);
}

/** The bindings on which a credential with the role and the owners of a grant rests. */
export const versionsFor = (grant: Grant<RoleBinding>): BindingVersions =>
  Object.fromEntries(sufficientBindings(grant).map((binding) => [binding.name, bindingVersion(binding)]));

const subjectOf = ({ name }: Pick<RoleBinding, 'name'>) => ({ id: name, name });

/** The fields that the audit shows. */
const shownIn = ({ provider, claims, role, owners, node_name_claim }: RoleBinding) => ({
  provider,
  claims,
  role,
  owners,
  node_name_claim,
});

/**
 * Adds a binding.
 *
 * @throws ApiError `alreadyExists`, `resourceExhausted` at the limit; as `changeCredentials`.
 */
export async function addRoleBinding(table: Table, binding: RoleBinding, cause: AccessContext): Promise<void> {
  const { name } = binding;
  await retryOnContention(table, async () => {
    const addition = await additionStep(table, ROLE_BINDINGS_PARTITION, cause.now);
    if ((await queryCount(table, { partition: ROLE_BINDINGS_PARTITION }, MAX_ROLE_BINDINGS)) >= MAX_ROLE_BINDINGS)
      throw new ApiError(
        'resourceExhausted',
        `The maximum of ${MAX_ROLE_BINDINGS} role bindings is reached. Remove one first.`,
      );
    const steps: TransactItem[] = [
      {
        put: { ...binding, ...roleBindingKey(name) },
        condition: ABSENT,
        onConditionFailed: () => new ApiError('alreadyExists', `Role binding with name "${name}" already exists.`),
      },
      addition,
      accessStep({ event: 'role_binding.added', subject: subjectOf(binding), after: shownIn(binding) }, cause),
    ];
    // An Admin key with an end could otherwise give its rights to identities without one.
    await changeCredentials(table, steps, cause, { until: Infinity });
  });
}

function checkRevision(ifMatch: Revisions | undefined, { revision }: RoleBinding): void {
  if (ifMatch === undefined || matches(ifMatch, revision)) return;
  throw new ApiError('revisionMismatch', `Role binding is at revision ${revision}.`);
}

interface BindingTarget {
  name: string;
  ifMatch: Revisions | undefined;
}

/**
 * Changes a binding. One read, one transaction; no write when nothing changes. A change that narrows it ends the
 * credentials that rest on it.
 *
 * @param next computes the binding from the one that was read; the same object: nothing to do.
 * @throws ApiError `notFound`, `revisionMismatch`; as `changeCredentials`.
 */
export async function changeRoleBinding(
  table: Table,
  { name, ifMatch }: BindingTarget,
  next: (present: RoleBinding) => RoleBinding,
  cause: AccessContext,
): Promise<RoleBinding> {
  return retryOnContention(table, async () => {
    const present = await getRoleBinding(table, name);
    checkRevision(ifMatch, present);
    const wanted = next(present);
    if (wanted === present) return present;
    const changed = narrows(present, wanted)
      ? { ...wanted, version: narrowedVersion(present, wanted.revision) }
      : wanted;
    const steps: TransactItem[] = [
      {
        put: { ...changed, ...roleBindingKey(name) },
        condition: equals('revision', present.revision),
        onConditionFailed: stale,
      },
      accessStep({ event: 'role_binding.changed', subject: subjectOf(present), after: shownIn(changed) }, cause),
    ];
    await changeCredentials(table, steps, cause, { until: Infinity });
    return changed;
  });
}

/** Removes a binding: the credentials that rest on it end. @throws ApiError `notFound`, `revisionMismatch`; as `changeCredentials`. */
export async function removeRoleBinding(
  table: Table,
  { name, ifMatch }: BindingTarget,
  cause: AccessContext,
): Promise<void> {
  await retryOnContention(table, async () => {
    const present = await getRoleBinding(table, name);
    checkRevision(ifMatch, present);
    const steps: TransactItem[] = [
      {
        delete: roleBindingKey(name),
        condition: equals('revision', present.revision),
        onConditionFailed: stale,
      },
      accessStep({ event: 'role_binding.removed', subject: subjectOf(present) }, cause),
    ];
    await changeCredentials(table, steps, cause);
  });
}
