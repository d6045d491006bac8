/** Ids of one time begin alike, so that the end tells them apart. */
export const shortId = (id: string): string => (id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id)
