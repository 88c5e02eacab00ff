import type { Outcome } from '../../domain/fields/outcome.ts';
import { type Entity, idOf } from '../../store/entities/entity.ts';
import type { Visible } from '../../store/entities/key-scope.ts';
import type { UpsertResult } from '../../store/inventory/upsert.ts';

export interface Success {
  status: 200 | 201 | 204;
  id: string;
  outcome?: Outcome;
  body?: Visible['object'];
}

/** The result of an operation that results in an object. */
export const done = (status: 200 | 201, entity: Visible): Success => ({
  status,
  id: idOf(entity),
  body: entity.object,
});

export function declaredAs({ stored, outcome }: UpsertResult<Entity['kind']>): Success {
  return { ...done(outcome === 'added' ? 201 : 200, stored), outcome };
}

/** The conditions of an operation, in the form of If-Match and If-None-Match. */
export function conditionsOf({
  if_match: revision,
  if_none_match: ifNoneMatch,
}: {
  if_match?: number | undefined;
  if_none_match?: '*' | undefined;
}) {
  return { ifMatch: revision === undefined ? undefined : [revision], ifNoneMatch };
}
