const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An id as the API makes them. */
export const isId = (text: string): boolean => ID.test(text);
