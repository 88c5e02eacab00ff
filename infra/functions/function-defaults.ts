import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Settings } from '../settings/settings-table.ts';

/** The settings that all functions of a deployment share. */
export interface FunctionDefaults {
  /** Folder with the bundles: `<id>/index.mjs`. */
  readonly bundles: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The log of all functions. The name of a log stream contains that of its function. */
  readonly log: ILogGroup;
  readonly settings: Pick<Settings, 'architecture' | 'closed' | 'subnetIds' | 'securityGroupIds'>;
}
