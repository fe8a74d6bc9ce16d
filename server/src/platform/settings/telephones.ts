// Settings of telephones: SIP, its addresses and its sound.
import { z } from 'zod'
import { free, hostAndPort, network, path, portRange, set, whole, wordList } from './kinds.ts'

export const telephoneSettings = {
  PARLEY_SIP_PORT: free(
    whole(0, 65_535),
    'Telephones and SIP trunks reach us at this port, over UDP and TCP; usually 5060. 0 takes any free port and prints it. Unset: there is no telephone line.',
  ),
  PARLEY_SIP_TLS_PORT: free(
    whole(0, 65_535),
    'The same over TLS; usually 5061. Needs the certificate and the key below.',
  ),
  PARLEY_SIP_TLS_CERT: free(path(), 'The file of the certificate, with those of its authorities, in PEM.'),
  PARLEY_SIP_TLS_KEY: free(path(), 'The file of its key, in PEM.'),
  PARLEY_SIP_ADDRESS: free(
    z.union([z.ipv4(), z.ipv6()], 'an IP address'),
    'The public address that telephones and trunks are told, behind a NAT or in a container. Unset: the one of this machine that faces them.',
  ),
  PARLEY_SIP_EDGE: free(
    hostAndPort(),
    'The SIP proxy in front of several processes, as in `10.0.0.5:5060` (`deploy/edge/`). Calls and registrations of ours go through it, and whoever comes through it is known by the address in its `X-Parley-Source`, so nobody else may reach the port of this process. Unset: telephones and trunks reach this process itself.',
  ),
  PARLEY_SIP_ALLOW: set(
    wordList().pipe(z.array(network, 'a comma-separated list of addresses and networks')),
    '127.0.0.0/8,::1/128',
    'Addresses and networks whose telephones may call `sip:<agent_id>@host` without a trunk, as in `127.0.0.0/8,192.168.1.0/24`. Whoever is not listed, and comes from no trunk, gets no answer, or is asked for a user and a password if a number has `inbound_users`.',
  ),
  PARLEY_SIP_DIGEST: set(
    wordList().pipe(
      z.array(z.enum(['md5', 'sha-256']), 'md5, sha-256 or both').min(1, 'md5, sha-256 or both'),
    ),
    'md5',
    'How telephones that log in prove their password, strongest first: `md5`, `sha-256`, or `sha-256,md5`. Some telephones do not log in at all where `sha-256` is offered, even beside `md5`. Neither hides a weak password from whoever listens: TLS does.',
  ),
  PARLEY_STIR_ANCHORS: free(
    path(),
    "A PEM file with the certificates of the authorities whose signatures of callers' numbers are believed (STIR/SHAKEN): those of the policy administrator of your country. Read at the start. Unset: `Identity` headers are not verified.",
  ),
  PARLEY_RTP_PORTS: set(
    portRange(),
    '10000-19999',
    'The UDP ports for the sound of telephone calls, two for each; open them in the firewall.',
  ),
}
