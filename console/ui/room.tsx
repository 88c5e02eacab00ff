import { createContext, type RefObject, use, useLayoutEffect, useMemo, useState } from 'react';

/**
 * The width that the menu, the help and the panel leave to the page. `tight`: the columns of tables are as narrow as
 * their words. `scarce`: tables also have fewer columns.
 */
export type Room = 'ample' | 'tight' | 'scarce';

/** In pixels. */
const AMPLE_WIDTH = 1000;
const TIGHT_WIDTH = 800;

interface PageRoom {
  room: Room;
  /** In pixels. */
  width: number;
}

const RoomContext = createContext<PageRoom>({ room: 'ample', width: AMPLE_WIDTH });

export const RoomProvider = RoomContext.Provider;

export const useRoom = (): PageRoom => use(RoomContext);

const roomOf = (width: number): Room => (width >= AMPLE_WIDTH ? 'ample' : width >= TIGHT_WIDTH ? 'tight' : 'scarce');

/** The room in an element, before it is painted and after each change. */
export function useRoomOf(ref: RefObject<HTMLElement | null>): PageRoom {
  const [width, setWidth] = useState(AMPLE_WIDTH);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return useMemo(() => ({ room: roomOf(width), width }), [width]);
}
