import { createContext, type RefObject, use, useLayoutEffect, useState } from 'react';

/**
 * What room the page has beside the menu, the help and the panel. `tight`: the columns of a table are as narrow as their
 * words allow. `scarce`: it also has fewer columns.
 */
export type Room = 'ample' | 'tight' | 'scarce';

/** In pixels. */
const AMPLE_WIDTH = 1000;
const TIGHT_WIDTH = 800;

const RoomContext = createContext<Room>('ample');

export const RoomProvider = RoomContext.Provider;

export const useRoom = (): Room => use(RoomContext);

const roomOf = (width: number): Room => (width >= AMPLE_WIDTH ? 'ample' : width >= TIGHT_WIDTH ? 'tight' : 'scarce');

/** The room that an element has, before it is drawn and whenever that changes. */
export function useRoomOf(ref: RefObject<HTMLElement | null>): Room {
  const [room, setRoom] = useState<Room>('ample');
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = () => setRoom(roomOf(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return room;
}
