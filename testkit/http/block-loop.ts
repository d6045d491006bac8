const sleeper = new Int32Array(new SharedArrayBuffer(4))

/** Blocks the event loop, as a long computation or a paused process would. */
export const blockLoop = (ms: number): void => void Atomics.wait(sleeper, 0, 0, ms)
