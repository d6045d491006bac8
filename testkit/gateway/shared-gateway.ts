import { rmSync } from 'node:fs'
import type { EngineName } from '../store/engines.ts'
import { type Gateway, startGateway } from './gateway.ts'

let shared: Promise<Gateway> | undefined

/**
 * One gateway with the default settings, on SQLite, for all test files of a worker process. It ends with the process, so
 * `stop` does nothing. A test makes its own account, and changes nothing that others see. On another engine a file has its own.
 */
export function sharedGateway(engine: EngineName = 'sqlite'): Promise<Gateway> {
  if (engine !== 'sqlite') return startGateway({ engine })
  shared ??= startGateway().then((gateway) => {
    process.once('exit', () => rmSync(gateway.database.dataDir, { recursive: true, force: true }))
    gateway.stop = async () => {}
    return gateway
  })
  return shared
}
