import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  CfnGlobalTable,
  ContributorInsightsMode,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { type CapacitySettings, provisioned, SHARE_OF_INDEX } from './table-capacity.ts';
import { indexes, tableKey, TTL_ATTRIBUTE } from '../../functions/store/table/keys.ts';

function keyOf({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) {
  return {
    partitionKey: { name: partitionKey, type: AttributeType.STRING },
    sortKey: { name: sortKey, type: AttributeType.STRING },
  };
}

// Only throttled keys: throttling needs an explanation, and watching all accesses costs per request.
const throttledKeys = { enabled: true, mode: ContributorInsightsMode.THROTTLED_KEYS };

export interface InventoryTableProps {
  readonly capacity: CapacitySettings;
  /** Whether it stays when the stack is removed, and is protected from deletion. */
  readonly isRetained: boolean;
  readonly pointInTimeRecovery: boolean;
  /** Whether CloudWatch lists the keys that are throttled, at a price by the month. */
  readonly listsThrottledKeys: boolean;
  /** Without a key, DynamoDB encrypts the table with a key that it owns. */
  readonly key: IKey | undefined;
}

/** The one table, with the keys, indexes and expiry that the code uses. */
export class InventoryTable extends TableV2 {
  constructor(scope: Construct, id: string, props: InventoryTableProps) {
    const { isRetained, pointInTimeRecovery, listsThrottledKeys, key, capacity } = props;
    const contributorInsightsSpecification = listsThrottledKeys ? throttledKeys : { enabled: false };
    const isProvisioned = capacity.billing === 'provisioned';
    super(scope, id, {
      ...keyOf(tableKey),
      globalSecondaryIndexes: Object.values(indexes).map((index) => ({
        indexName: index.name,
        ...keyOf(index),
        ...(isProvisioned ? provisioned(capacity, SHARE_OF_INDEX) : {}),
        contributorInsightsSpecification,
      })),
      timeToLiveAttribute: TTL_ATTRIBUTE,
      billing: isProvisioned ? Billing.provisioned(provisioned(capacity)) : Billing.onDemand(),
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      contributorInsightsSpecification,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: pointInTimeRecovery },
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      deletionProtection: isRetained,
      removalPolicy: isRetained ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    const { defaultChild } = this.node;
    if (key !== undefined && defaultChild instanceof CfnGlobalTable) {
      // TableEncryptionV2.customerManagedKey refuses a stack without a region, because of replicas, which this table
      // does not have.
      defaultChild.sseSpecification = { sseEnabled: true, sseType: 'KMS' };
      defaultChild.addPropertyOverride('Replicas.0.SSESpecification', { KMSMasterKeyId: key.keyArn });
    }
    if (!pointInTimeRecovery)
      Validations.of(this).acknowledge({
        id: 'AwsSolutions-DDB3',
        reason:
          'The operator has switched off point-in-time recovery (pointInTimeRecovery=false). It is on by default.',
      });
  }
}
