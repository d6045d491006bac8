import { open } from 'node:fs/promises'

/** Makes the names in a directory survive a loss of power, as `sync` does for the content of a file. */
export async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open directories, and does not need this.
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  await handle.sync().finally(() => handle.close())
}
