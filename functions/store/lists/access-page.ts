import type { Position } from '../../../shared/db/page-token.ts';
import type { Entity } from '../entities/entity.ts';
import type { Heartbeats } from '../heartbeats/heartbeat.ts';
import type { Page } from '../table/page.ts';

/** A part of what an access of a plan finds. */
export interface AccessPage extends Page<Entity> {
  /** The position of each object; undefined: its order and its id. */
  places?: readonly Position[];
  /** The heartbeats of their nodes, if they were read. */
  heartbeats?: Heartbeats;
}
