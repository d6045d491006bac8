import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config/config.ts'
import { effectiveSettings } from '../../../src/features/operators/settings/settings.ts'
import { hostUrls } from '../../../src/storage/postgres/server.ts'

const shown = (name: string, environment: Record<string, string>) =>
  effectiveSettings(loadConfig(environment)).items.find(({ key }) => key === name)?.value

describe('no setting shows a password', () => {
  test.each([
    ['postgres://gateway:hunter2@db:5432/gateway', 'postgres://db:5432/gateway'],
    [
      'postgres://gateway:hunter2@db-a:5432,db-b:5432/gateway?target_session_attrs=read-write',
      'postgres://db-a:5432,db-b:5432/gateway',
    ],
    ['postgres://gateway:hunter2@[::1]:5432,db-b/gateway', 'postgres://[::1]:5432,db-b/gateway'],
    ['postgres://gateway:%68unter2%40@db/gateway', 'postgres://db/gateway'],
    ['postgres://gateway:p@ss,hunter2@db-a,db-b/gateway', 'postgres://db-a,db-b/gateway'],
    ['postgres://db/gateway?user=gateway&password=hunter2', 'postgres://db/gateway'],
    ['postgres://db-a,db-b/gateway?sslpassword=hunter2', 'postgres://db-a,db-b/gateway'],
    ['postgres://db/gateway?options=-c%20secret%3Dhunter2', 'postgres://db/gateway'],
    ['postgres:///gateway?host=/run/postgresql&password=hunter2', 'postgres:///gateway'],
    ['postgres://%2Frun%2Fpostgresql/gateway', 'postgres://%2Frun%2Fpostgresql/gateway'],
    ['postgres://gateway:hun/ter2@db/gateway', 'set'],
    ['postgres://gateway:12/hunter2@db/gateway', 'set'],
    ['postgres://gateway:12?hunter2@db/gateway', 'set'],
    ['postgres://gateway:12#hunter2@db/gateway', 'set'],
    ['postgres://gateway:x@12/hunter2@db/gateway', 'set'],
    ['postgres://gateway:hunter2@db:port/gateway', 'set'],
    ['postgres://gateway:hunter2@db a/gateway', 'set'],
    ['postgres://gateway:hunter2', 'set'],
    ['sqlite:data/gateway.sqlite', 'sqlite:data/gateway.sqlite'],
  ])('DATABASE_URL %s is shown as %s', (url, expected) => {
    expect(shown('DATABASE_URL', { DATABASE_URL: url })).toBe(expected)
  })

  test('the collector is shown without its credentials, and its headers are not shown', () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:hunter2@collector.example/otlp?key=hunter2',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hunter2',
    }
    expect(shown('OTEL_EXPORTER_OTLP_ENDPOINT', environment)).toBe('https://collector.example/otlp')
    expect(shown('OTEL_EXPORTER_OTLP_HEADERS', environment)).toBe('set')
  })

  test('the mail server is not shown', () => {
    expect(shown('SMTP_URL', { SMTP_URL: 'smtps://user:hunter2@mail.example' })).toBe('set')
  })
})

describe('no error message shows a password', () => {
  test.each([
    'postgres://gateway:hun/ter2@db/gateway',
    'postgres://gateway:12/hunter2@db/gateway',
    'postgres://gateway:12?hunter2@db/gateway',
    'postgres://gateway:x@hunter2/y@db/gateway',
    'postgres://gateway:x@hunter2:y,db/gateway',
    'postgres://gateway:hunter2@,db/gateway',
  ])('%s is refused without naming any of it', (url) => {
    let message = ''
    try {
      hostUrls(url)
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).toMatch(/^DATABASE_URL: /)
    expect(message).not.toMatch(/hun|ter2|"/)
  })

  test('a password with an @ belongs to every host', () => {
    expect(hostUrls('postgres://u:p@ss@a,b/gateway')).toEqual([
      'postgres://u:p@ss@a/gateway',
      'postgres://u:p@ss@b/gateway',
    ])
  })
})
