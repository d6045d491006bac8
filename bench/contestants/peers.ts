import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contestant } from './contestant.ts'
import { startPlain } from './plain.ts'

const folder = fileURLToPath(new URL('../peers', import.meta.url))
const loopbackOnly = fileURLToPath(new URL('../servers/loopback-only.ts', import.meta.url))

/** Installs what the peers' lock file names, unless exactly that is installed. */
export function installPeers(): void {
  const isInstalled = ['@portkey-ai/gateway', 'autocannon'].every((name) => versionOf(name) === wantedVersion(name))
  if (isInstalled) return
  console.log('installing the peers into bench/peers ...')
  // No scripts: what the gateway's build needs is in its package.
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

export const peerVersion = (name: string): string => versionOf(name) ?? 'not installed'

function versionOf(name: string): string | undefined {
  const file = join(folder, 'node_modules', name, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : undefined
}

function wantedVersion(name: string): string | undefined {
  const { packages } = createRequire(import.meta.url)('../peers/package-lock.json') as {
    packages: Record<string, { version?: string }>
  }
  return packages[`node_modules/${name}`]?.version
}

/** Portkey's gateway as its package starts it, without its web page. It trusts loopback origins. */
export const startPortkey = (upstreamOrigin: string): Promise<Contestant> =>
  startPlain({
    id: 'portkey',
    name: `Portkey gateway ${peerVersion('@portkey-ai/gateway')}`,
    group: 'peer',
    asks: 'completion',
    headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstreamOrigin}/v1` },
    server: (port) => ({
      command: process.execPath,
      args: [
        ...['--import', loopbackOnly],
        join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js'),
        ...[`--port=${port}`, '--headless'],
      ],
    }),
  })

/** Its version, or null where it is not installed. */
export function nginxVersion(): string | null {
  const { stderr, error } = spawnSync('nginx', ['-v'], { encoding: 'utf8' })
  return error ? null : (/nginx\/(\S+)/.exec(stderr)?.[1] ?? null)
}

/**
 * nginx as a plain reverse proxy with upstream keep-alive, and one process because each Node server has one event loop.
 * Without a master process, so that nothing can outlive the bench.
 */
export async function startNginx(upstreamOrigin: string, workDir: string, version: string): Promise<Contestant> {
  const prefix = await mkdtemp(join(workDir, 'nginx-'))
  const configFile = join(prefix, 'nginx.conf')
  return startPlain({
    id: 'nginx',
    name: `nginx ${version}, plain reverse proxy`,
    group: 'peer',
    asks: 'completion',
    server: async (port) => {
      await writeFile(configFile, nginxConfig(port, new URL(upstreamOrigin).host))
      return { command: 'nginx', args: ['-p', prefix, '-c', configFile, '-e', 'stderr'] }
    },
  })
}

const nginxConfig = (port: number, upstreamHost: string) => `
daemon off;
master_process off;
pid nginx.pid;
events { worker_connections 2048; }
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy;
  fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  keepalive_requests 1000000000;
  upstream provider { server ${upstreamHost}; keepalive 512; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://provider;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`
