import { timeTextOfMs } from '../../shared/core/seconds.ts';
import type { AgentDay } from '../store/heartbeats/agent-day.ts';

export function toStatesReply({ begin, end, intervals, availability }: AgentDay) {
  return {
    begin: timeTextOfMs(begin),
    end: timeTextOfMs(end),
    intervals: intervals.map((one) => ({
      state: one.state,
      ...(one.status === undefined ? {} : { status: one.status }),
      begin: timeTextOfMs(one.begin),
      end: timeTextOfMs(one.end),
    })),
    ...(availability === undefined ? {} : { availability }),
  };
}
