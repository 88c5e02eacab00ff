import { Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import * as z from 'zod/mini';
import type { ObjectKind } from '../../clients/cdk/src/objects.ts';
import { agentDesired } from '../../functions/domain/agent/schema.ts';
import { refusedFields } from '../../functions/domain/fields/read-only-fields.ts';
import { nodeAddition } from '../../functions/domain/node/schema.ts';
import { serviceDesired } from '../../functions/domain/service/schema.ts';
import { valueAt, violations } from '../../shared/core/violations.ts';
import { InvalidSettings } from '../settings/read-settings.ts';

const rules = {
  node: { schema: nodeAddition, refused: refusedFields.addNode },
  service: { schema: serviceDesired, refused: refusedFields.addService },
  agent: { schema: agentDesired, refused: refusedFields.addAgent },
} as const;

/**
 * Applies the rules of the server at synthesis. Values that are known only at deployment are checked then.
 *
 * @throws InvalidSettings with each violation.
 */
export function checkObject(scope: Construct, kind: ObjectKind, object: object): void {
  const { schema, refused } = rules[kind];
  const { error } = z.safeParse(schema, object);
  const issues = error?.issues.filter(({ path }) => !Token.isUnresolved(valueAt(object, path))) ?? [];
  if (issues.length === 0) return;
  const found = violations(issues, object, { refused });
  throw new InvalidSettings(found.map(({ field, message }) => `${scope.node.path}: ${kind}.${field}: ${message}`));
}
