import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Handler = (event: any) => Promise<void>;

interface Resource {
  physicalId: string;
  properties: object;
}

export interface EventReply {
  Status: 'SUCCESS' | 'FAILED';
  PhysicalResourceId: string;
  Reason?: string;
  Data?: Record<string, string>;
}

/** A change of a stack that CloudFormation has rolled back. */
export class FailedDeployment extends Error {}

/**
 * Calls the function of custom resources as CloudFormation does: a replaced resource is deleted after the update, a failed
 * addition is deleted, and a failed update is followed by an update with the former properties.
 */
export class CloudFormationStack {
  readonly id = `arn:aws:cloudformation:eu-west-1:123456789012:stack/shop/${randomUUID()}`;
  /** All events, without the URL of the reply. */
  readonly events: any[] = [];
  readonly replies: EventReply[] = [];
  /** How often each event arrives. */
  deliveries = 1;
  private readonly resources = new Map<string, Resource>();
  private readonly handler: Handler;
  private readonly bucket: Server;

  private constructor(handler: Handler, bucket: Server) {
    this.handler = handler;
    this.bucket = bucket;
  }

  static async open(handler: Handler): Promise<CloudFormationStack> {
    const bucket = createServer();
    const stack = new CloudFormationStack(handler, bucket);
    bucket.on('request', (request, response) => {
      void text(request).then((body) => {
        stack.replies.push(JSON.parse(body));
        response.end();
      });
    });
    bucket.listen(0, '127.0.0.1');
    await once(bucket, 'listening');
    return stack;
  }

  close(): void {
    this.bucket.close();
  }

  ownerOf(logicalId: string): string {
    return `${this.id.split(':stack/')[1]}/${logicalId}`;
  }

  physicalIdOf(logicalId: string): string | undefined {
    return this.resources.get(logicalId)?.physicalId;
  }

  private async send(type: string, logicalId: string, properties: object, more: object = {}): Promise<EventReply> {
    const event = {
      RequestType: type,
      RequestId: randomUUID(),
      StackId: this.id,
      LogicalResourceId: logicalId,
      ResourceType: 'Custom::InventoryObject',
      ResourceProperties: properties,
      ...more,
    };
    this.events.push(event);
    const { port } = this.bucket.address() as AddressInfo;
    const before = this.replies.length;
    for (let delivery = 0; delivery < this.deliveries; delivery += 1)
      await this.handler({ ...event, ResponseURL: `http://127.0.0.1:${port}/?signature=s` });
    const replies = this.replies.slice(before);
    expect(replies).toHaveLength(this.deliveries);
    // CloudFormation takes one of them.
    for (const reply of replies) expect(reply).toEqual(replies[0]);
    return replies[0]!;
  }

  /** Deletes a resource. @throws Error with the reason of a failure. */
  async delete(
    logicalId: string,
    { physicalId, properties }: Resource = this.resources.get(logicalId)!,
  ): Promise<void> {
    const reply = await this.send('Delete', logicalId, properties, { PhysicalResourceId: physicalId });
    if (reply.Status === 'FAILED') throw new Error(reply.Reason);
    if (this.resources.get(logicalId)?.physicalId === physicalId) this.resources.delete(logicalId);
  }

  /**
   * Adds or updates a resource.
   *
   * @param others updates the resources that refer to it.
   * @throws FailedDeployment after the rollback.
   */
  async deploy(
    logicalId: string,
    properties: object,
    others?: () => Promise<unknown>,
  ): Promise<Record<string, string>> {
    const former = this.resources.get(logicalId);
    if (former === undefined) {
      const reply = await this.send('Create', logicalId, properties);
      const { PhysicalResourceId: physicalId } = reply;
      if (reply.Status === 'FAILED') {
        await this.delete(logicalId, { physicalId, properties });
        throw new FailedDeployment(reply.Reason);
      }
      this.resources.set(logicalId, { physicalId, properties });
      return reply.Data ?? {};
    }
    const reply = await this.update(logicalId, properties, former);
    if (reply.Status === 'FAILED') {
      expect(reply.PhysicalResourceId).toBe(former.physicalId);
      await this.rollBack(logicalId, { ...former, properties }, former);
      throw new FailedDeployment(reply.Reason);
    }
    await others?.();
    await this.cleanUp(logicalId, former);
    return reply.Data ?? {};
  }

  /** An update that succeeds, in a deployment that fails at another resource. */
  async deployAndRollBack(logicalId: string, properties: object): Promise<void> {
    const former = this.resources.get(logicalId)!;
    expect((await this.update(logicalId, properties, former)).Status).toBe('SUCCESS');
    await this.rollBack(logicalId, this.resources.get(logicalId)!, former);
  }

  private async update(logicalId: string, properties: object, former: Resource): Promise<EventReply> {
    const reply = await this.send('Update', logicalId, properties, {
      PhysicalResourceId: former.physicalId,
      OldResourceProperties: former.properties,
    });
    if (reply.Status === 'SUCCESS') this.resources.set(logicalId, { physicalId: reply.PhysicalResourceId, properties });
    return reply;
  }

  private async rollBack(logicalId: string, present: Resource, former: Resource): Promise<void> {
    const reply = await this.update(logicalId, former.properties, present);
    expect([reply.Status, reply.Reason]).toEqual(['SUCCESS', undefined]);
    await this.cleanUp(logicalId, present);
  }

  /** Deletes a resource that an update has replaced. */
  private async cleanUp(logicalId: string, former: Resource): Promise<void> {
    if (this.physicalIdOf(logicalId) !== former.physicalId) await this.delete(logicalId, former);
  }
}
