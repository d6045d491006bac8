import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../http/free-port.ts'
import { untilListening } from '../http/until-listening.ts'
import { tools } from '../installed-tools.ts'

/** The real PgBouncer in front of one database. */
export async function startPgBouncer(databaseUrl: string, poolMode: 'session' | 'transaction' | 'statement') {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'gateway-pgbouncer-'))
  const listenPort = await freePort()
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
default_pool_size = 40
max_client_conn = 200
`,
  )
  const isRoot = process.getuid?.() === 0
  await chmod(folder, 0o755)
  // It refuses to run as root.
  const child = spawn(tools.pgbouncer!, [...(isRoot ? ['-u', 'nobody'] : []), join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
  })
  await untilListening(listenPort, child)
  const url = new URL(databaseUrl)
  url.port = String(listenPort)
  return {
    url: url.href,
    close: async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
