import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type DockerStage, parseCopy, parseDockerfile } from '../../testkit/deploy/dockerfile.ts'
import { runImage } from '../../testkit/deploy/run-image.ts'

/** `npm run check:image`: runs every step of the Dockerfile in empty folders, without Docker, and starts the result. */
const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'gateway-dockerfile-'))
const stages = parseDockerfile(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'))

try {
  for (const [index, stage] of stages.entries()) runStage(stage, folderOf(stage.name ?? String(index)))
  const image = folderOf(String(stages.length - 1))
  console.log(execFileSync('du', ['-sh', 'node_modules', 'src', 'console/dist'], { cwd: image, encoding: 'utf8' }))
  const gateway = await runImage(stages.at(-1)!, image, join(image, 'data'))
  const isHealthy = await gateway
    .ready()
    .then(() => gateway.isHealthy())
    .finally(async () => {
      process.exitCode = (await gateway.stop()) ?? 1
    })
  if (!isHealthy) process.exitCode = 1
  console.log(`healthy: ${isHealthy}, stopped with ${process.exitCode}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Stands for the root and the /app of a stage. */
function folderOf(name: string): string {
  return join(folder, name)
}

function runStage({ steps }: DockerStage, place: string): void {
  mkdirSync(place)
  for (const step of steps) {
    if (step.instruction === 'COPY') {
      const { from, sources, to } = parseCopy(step)
      const origin = from === null ? root : folderOf(from)
      for (const source of sources) {
        const path = join(origin, source.replace(/^\/app\//, ''))
        // As .dockerignore says.
        const filter = (file: string) => from !== null || !/\/(node_modules|dist)$/.test(file)
        const isFolder = source.endsWith('/')
        const name = isFolder ? '' : source.split('/').at(-1)!
        cpSync(path, join(place, to, name), { recursive: true, filter })
      }
    } else if (step.instruction === 'RUN') {
      console.log(`RUN ${step.text}`)
      const { uid, gid } = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
      const command = step.text.replaceAll('/data', join(place, 'data')).replace('node:node', `${uid}:${gid}`)
      execFileSync('sh', ['-c', command], { cwd: place, stdio: 'inherit' })
    }
  }
}
