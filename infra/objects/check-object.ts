import { Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import * as z from 'zod/mini';
import type { ObjectKind } from '../../clients/cdk/src/objects.ts';
import type { Existing } from '../../clients/cdk/src/ownership.ts';
import { agentDesired } from '../../functions/domain/agent/schema.ts';
import { additions } from '../../functions/domain/bulk/additions.ts';
import { refusedFields } from '../../functions/domain/fields/read-only-fields.ts';
import { newValueViolations } from '../../functions/domain/fields/stored-values.ts';
import { nodeOrStored } from '../../functions/domain/node/schema.ts';
import { serviceDesired } from '../../functions/domain/service/schema.ts';
import { valueAt, violations } from '../../shared/core/violations.ts';
import { InvalidSettings } from '../settings/read-settings.ts';

const rules = {
  node: { schema: nodeOrStored, refused: refusedFields.addNode },
  service: { schema: serviceDesired, refused: refusedFields.addService },
  agent: { schema: agentDesired, refused: refusedFields.addAgent },
} as const;

/**
 * Applies the rules of the server at synthesis. Values that are known only at deployment are checked then.
 *
 * @param existing an object that is adopted may have values of an earlier version.
 * @throws InvalidSettings with each violation.
 */
export function checkObject(scope: Construct, kind: ObjectKind, object: object, existing: Existing = 'refuse'): void {
  const { schema, refused } = rules[kind];
  const isKnown = (path: readonly PropertyKey[]) => !Token.isUnresolved(valueAt(object, path));
  const issues = z.safeParse(schema, object).error?.issues.filter(({ path }) => isKnown(path)) ?? [];
  const ofNew = existing === 'adopt' ? [] : newValueViolations(additions[kind], object);
  const problems = [
    ...violations(issues, object, { refused }),
    ...ofNew.filter(({ field }) => isKnown(field.split('.'))),
  ];
  if (problems.length === 0) return;
  throw new InvalidSettings(problems.map(({ field, message }) => `${scope.node.path}: ${kind}.${field}: ${message}`));
}
