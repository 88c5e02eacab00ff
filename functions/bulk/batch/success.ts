import type { Outcome } from '../../domain/fields/outcome.ts';
import { type Entity, idOf, toEntity } from '../../store/entities/entity.ts';
import type { UpsertResult } from '../../store/inventory/upsert.ts';

export interface Success {
  status: 200 | 201 | 204;
  id: string;
  outcome?: Outcome;
  body?: Entity['object'];
}

/** The result of an operation that results in an object. */
export const done = (status: 200 | 201, entity: Entity): Success => ({ status, id: idOf(entity), body: entity.object });

/** The result of an upsert. */
export function declaredAs(kind: Entity['kind'], { object, outcome }: UpsertResult<Entity['kind']>): Success {
  return { ...done(outcome === 'added' ? 201 : 200, toEntity(kind, object)), outcome };
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
