import { timeText } from '../../shared/core/seconds.ts';
import type { Silence } from '../store/entities/silences.ts';

export const toSilenceReply = ({ expires_at: end, ...shown }: Silence) => ({ ...shown, until: timeText(end) });
