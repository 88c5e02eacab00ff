import { FileSystem } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Construct } from 'constructs';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FleetState } from '../../clients/cdk/src/fleet.ts';
import { OWNER_LABEL, withOwner } from '../../clients/cdk/src/ownership.ts';
import { CommandError } from '../../clients/cli/src/core/exit-codes.ts';
import { type StateRequest } from '../../clients/cli/src/files/desired-state.ts';
import { parseState } from '../../clients/cli/src/files/state-file.ts';
import { InvalidSettings } from '../settings/read-settings.ts';
import { InventoryResource, type InventoryResourceProps } from './inventory-resource.ts';

export interface InventoryFleetProps extends InventoryResourceProps {
  /**
   * Path of a YAML file with a desired state, the format of `inventory apply -f`. Its scope may be absent: then it is that
   * of the objects which the resource has added.
   */
  readonly file: string;
  /**
   * The share of the objects in the scope that an update may remove, in percent. It limits the rollback of an update too.
   *
   * @default - that of the file, otherwise 20
   */
  readonly maxRemovalsPercent?: number | undefined;
}

const hasScope = ({ scope = {} }: StateRequest) => Object.keys(scope).length > 0;

/** The scope of a file without one, for the rules: at deployment, the function takes the label of the resource. */
function withOwnScope(request: StateRequest): StateRequest {
  if (hasScope(request)) return request;
  const { nodes = [], services = [], ...others } = request.desired ?? {};
  const labelled = {
    nodes: nodes.map((node) => withOwner(node, 'own')),
    services: services.map((service) => withOwner(service, 'own')),
  };
  return { ...request, scope: { selector: `${OWNER_LABEL}=own` }, desired: { ...others, ...labelled } };
}

/** @throws InvalidSettings with the place of each violation in the file. */
function readState({ file, existing, maxRemovalsPercent: percent }: InventoryFleetProps): FleetState {
  let request: StateRequest | undefined;
  try {
    const { wrongIfNew } = parseState(readFileSync(file, 'utf8'), file, (parsedRequest) =>
      withOwnScope((request = parsedRequest)),
    );
    // Objects that are taken over may have values of an earlier version.
    const wrong = existing === 'adopt' ? [] : wrongIfNew();
    if (wrong.length > 0) throw new InvalidSettings(wrong);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new InvalidSettings(error.message.split('\n'));
  }
  const { scope, desired = {}, max_removals_percent: ofFile } = request ?? {};
  const isScoped = request !== undefined && hasScope(request);
  if (existing === 'adopt' && !isScoped)
    throw new InvalidSettings([
      `${file}: existing is 'adopt', but the file has no scope whose objects could be adopted.`,
    ]);
  if (percent !== undefined && !(Number.isInteger(percent) && percent >= 0 && percent <= 100))
    throw new InvalidSettings([`maxRemovalsPercent is ${percent}, but must be a whole number from 0 to 100.`]);
  return { ...(isScoped ? { scope } : {}), desired, max_removals_percent: percent ?? ofFile };
}

/** The desired state as a file of the deployment, for the function. */
function storeState(scope: Construct, state: FleetState): Asset {
  const folder = FileSystem.mkdtemp('inventory-fleet-');
  const path = join(folder, 'state.json');
  writeFileSync(path, JSON.stringify(state));
  const asset = new Asset(scope, 'State', { path });
  rmSync(folder, { recursive: true });
  return asset;
}

/** Many objects of the inventory: a file with a desired state, which one reconciliation establishes. */
export class InventoryFleet extends Construct {
  constructor(scope: Construct, id: string, props: InventoryFleetProps) {
    super(scope, id);
    const { bucket, s3BucketName: Bucket, s3ObjectKey: Key } = storeState(this, readState(props));
    const { function: client } = new InventoryResource(this, 'Fleet', 'InventoryFleet', props, { Bucket, Key });
    client.rights.role.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['s3:GetObject'], resources: [bucket.arnForObjects(Key)] }),
    );
  }
}
