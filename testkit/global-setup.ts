import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { createRunDirectory, removeRunDirectory } from './memory-directory.ts'
import { globalStores } from './store/global-stores.ts'

/** What the tests of a run share: databases, and the built console. */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  createRunDirectory()
  const [stores] = await Promise.all([globalStores(project), buildConsole()])
  return async () => {
    await stores()
    removeRunDirectory()
  }
}

/** Done at once when it is current. */
const buildConsole = () =>
  promisify(execFile)(process.execPath, [fileURLToPath(new URL('../console/build/build.ts', import.meta.url))], {
    // Vitest sets NODE_ENV to `test`, with which React's development build would be bundled.
    env: { ...process.env, NODE_ENV: 'production' },
  })
