import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../http/free-port.ts'
import { type DockerStage, parseCommand } from './dockerfile.ts'

export interface RunningImage {
  /** The status of `/readyz`, once it is 200; rejects if the process ends before. */
  ready(): Promise<number>
  /** Runs the command of HEALTHCHECK. */
  isHealthy(): Promise<boolean>
  /** As `docker stop` does; resolves with the exit code. */
  stop(): Promise<number | null>
}

/** Runs the CMD of an image in the folder that its COPY steps filled, with the ports replaced by free ones. */
export async function runImage(image: DockerStage, folder: string, dataDir: string): Promise<RunningImage> {
  const step = (name: string) => image.steps.find(({ instruction }) => instruction === name)!
  const [operatorPort, port] = [await freePort(), await freePort()]
  const [, ...args] = parseCommand(step('CMD'))
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      GATEWAY_DATA_DIR: dataDir,
      GATEWAY_ORIGIN: `http://localhost:${port}`,
      GATEWAY_OPERATOR_LISTEN: `127.0.0.1:${operatorPort}`,
    },
  })
  let stderr = ''
  child.stderr!.on('data', (chunk) => {
    stderr += chunk
  })
  const exited = once(child, 'exit')
  return {
    async ready() {
      for (;;) {
        if (child.exitCode !== null) throw new Error(`the gateway ended: ${stderr}`)
        const status = await fetch(`http://127.0.0.1:${operatorPort}/readyz`).then(
          (response) => response.status,
          () => 0,
        )
        if (status === 200) return status
        await delay(100)
      }
    },
    async isHealthy() {
      const [, ...check] = parseCommand(step('HEALTHCHECK')).map((part) => part.replace('8788', String(operatorPort)))
      return promisify(execFile)(process.execPath, check).then(
        () => true,
        () => false,
      )
    },
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM')
      const [code] = await exited
      return code
    },
  }
}
