import { type FileHandle, open } from 'node:fs/promises'
import { devNull } from 'node:os'

/** As many as a burst of callers, their providers and the store open in a moment. */
const spare = 16

/** Rejects when the process has so few file descriptors left that connections to it or to a provider will fail. */
export async function checkDescriptors(): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: spare }, () => open(devNull)))
  const handles = opened.flatMap((result): FileHandle[] => (result.status === 'fulfilled' ? [result.value] : []))
  await Promise.all(handles.map((handle) => handle.close()))
  if (handles.length < spare) throw new Error(`only ${handles.length} file descriptors are left`)
}
