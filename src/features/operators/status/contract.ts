import { type Static, Type } from '../../../base/schema.ts'
import { Choice, failsWith, named, request } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import {
  idParameter,
  oneLinePattern,
  operatorAction,
  operatorView,
  Text,
  Time,
  TimeOrNull,
} from '../../../operator-kit/operation.ts'

const incidentIdPattern = '^inc_[A-Za-z0-9]+$'
export const incidentTextLimit = 500
export const listedIncidents = 50

const Incident = named('Incident', {
  incidentId: Type.String({ pattern: incidentIdPattern }),
  state: Choice(['planned', 'open', 'ended'], { description: 'planned: it has not begun yet.' }),
  zh: Text(),
  en: Text(),
  from: Time(),
  to: TimeOrNull('When it ends or ended; null while that is unknown.'),
  addedBy: Text(),
})

const text = (language: string) =>
  Type.String({
    minLength: 1,
    maxLength: incidentTextLimit,
    pattern: oneLinePattern,
    description: `What happens, in ${language}: one line, which the public sees.`,
    ...failsWith('INCIDENT_TEXT_INVALID'),
  })

const time = (description: string) =>
  Type.Optional(
    Type.String({
      format: 'date-time',
      minLength: 1,
      maxLength: 40,
      description: `${description} A time such as 2026-09-03T08:00:00Z.`,
      ...failsWith('INCIDENT_TIME_INVALID'),
    }),
  )

const AddIncidentRequest = request('AddIncidentRequest', {
  zh: text('Chinese'),
  en: text('English'),
  from: time('When it began or begins; now by default.'),
  to: time('When it ended or will end; left out while that is unknown.'),
})

const EditIncidentRequest = request('EditIncidentRequest', {
  zh: Type.Optional(text('Chinese')),
  en: Type.Optional(text('English')),
  from: time('When it began or begins.'),
  to: time('When it ended or will end.'),
})

const EndIncidentRequest = request('EndIncidentRequest', { to: time('When it ended or will end; now by default.') })

const idInPath = { incidentId: idParameter(incidentIdPattern, 'INCIDENT_NOT_FOUND') }

export const incidentOperations = [
  operatorAction({
    id: 'operator.incidents.add',
    tag: 'Incidents',
    path: '/api/incidents',
    summary: 'Tell the public about an incident',
    description: 'It is on /status of every instance within a minute, and in /status.json and /status.rss.',
    permission: 'incidents',
    request: AddIncidentRequest,
    responses: [response(201, 'It is published.', Incident)],
    ownErrors: ['INCIDENT_TEXT_INVALID', 'INCIDENT_TIME_INVALID'],
    commands: [
      { says: (incident: Incident) => `${incident.incidentId} is ${incident.state}, and public within a minute.` },
    ],
  }),
  operatorView({
    id: 'operator.incidents.list',
    tag: 'Incidents',
    path: '/api/incidents',
    summary: 'List the incidents',
    response: response(
      200,
      'The incidents.',
      named('IncidentList', {
        items: Type.Array(Incident, {
          maxItems: listedIncidents,
          description: 'Open ones first, then planned ones, each the newest first.',
        }),
      }),
    ),
  }),
  operatorAction({
    id: 'operator.incidents.edit',
    tag: 'Incidents',
    path: '/api/incidents/{incidentId}/edit',
    summary: 'Correct an incident',
    description: 'What is left out stays as it is. A later end opens an ended incident again.',
    permission: 'incidents',
    pathParameters: idInPath,
    request: EditIncidentRequest,
    responses: [response(200, 'The incident as the public sees it.', Incident)],
    ownErrors: ['INCIDENT_NOT_FOUND', 'INCIDENT_TEXT_INVALID', 'INCIDENT_TIME_INVALID'],
    commands: [{ says: (incident: Incident) => `${incident.incidentId} is changed, and public within a minute.` }],
  }),
  operatorAction({
    id: 'operator.incidents.end',
    tag: 'Incidents',
    path: '/api/incidents/{incidentId}/end',
    summary: 'Say that an incident has ended',
    permission: 'incidents',
    pathParameters: idInPath,
    request: EndIncidentRequest,
    responses: [response(200, 'It has ended.', Incident)],
    ownErrors: ['INCIDENT_NOT_FOUND', 'INCIDENT_TIME_INVALID', 'INCIDENT_ENDED'],
    commands: [
      {
        says: ({ incidentId, state, to }: Incident) =>
          state === 'ended' ? `${incidentId} has ended.` : `${incidentId} ends at ${to}.`,
      },
    ],
  }),
]

export type Incident = Static<typeof Incident>
export type AddIncidentRequest = Static<typeof AddIncidentRequest>
export type EditIncidentRequest = Static<typeof EditIncidentRequest>
export type EndIncidentRequest = Static<typeof EndIncidentRequest>
