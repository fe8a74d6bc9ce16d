// Checks manifests against the schemas that Kubernetes publishes, as the packages of kubernetes-models have compiled them.

export interface Validate {
  (data: unknown): boolean
  readonly errors?:
    | readonly { readonly instancePath: string; readonly message?: string; readonly keyword: string }[]
    | null
}

interface Described {
  readonly apiVersion: string
  readonly kind: string
}

const prefixes: Readonly<Record<string, string>> = {
  v1: 'IoK8sApiCoreV1',
  'apps/v1': 'IoK8sApiAppsV1',
  'autoscaling/v2': 'IoK8sApiAutoscalingV2',
  'batch/v1': 'IoK8sApiBatchV1',
  'networking.k8s.io/v1': 'IoK8sApiNetworkingV1',
  'policy/v1': 'IoK8sApiPolicyV1',
}

export async function validatorFor({ apiVersion, kind }: Described): Promise<Validate> {
  const prefix = prefixes[apiVersion]
  const path = prefix ? `kubernetes-models/_schemas/${prefix}${kind}` : ofTheOperator(kind)
  return ((await import(path)) as { validate: Validate }).validate
}

/** Its package offers the classes only, which copy what they check. */
const ofTheOperator = (kind: string): string => {
  const file = `ComGithubPrometheusOperatorPrometheusOperatorPkgApisMonitoringV1${kind}.js`
  return new URL(`_schemas/${file}`, import.meta.resolve('@kubernetes-models/prometheus-operator')).href
}

/**
 * The faults of a manifest, and the fields that the schema does not know: those that the validator has never looked at.
 * The server drops such a field with a warning, which is how a typing error gets into production.
 */
export function faultsIn(manifest: object, validate: Validate): string[] {
  const seen = new Map<string, Set<string>>()
  const watched = <Value>(value: Value, path: string): Value => {
    if (typeof value !== 'object' || value === null) return value
    const looked = seen.get(path) ?? new Set<string>()
    seen.set(path, looked)
    return new Proxy(value, {
      get(target, key) {
        const inner: unknown = Reflect.get(target, key)
        if (typeof key !== 'string' || typeof inner === 'function') return inner
        looked.add(key)
        return watched(inner, `${path}/${key}`)
      },
    })
  }
  const isValid = validate(watched(manifest, ''))
  const faults = isValid
    ? []
    : (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)
  const unknown: string[] = []
  const compare = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    const looked = seen.get(path)
    for (const [key, inner] of Object.entries(value)) {
      if (!looked?.has(key)) unknown.push(`${path}/${key} is unknown`)
      else compare(inner, `${path}/${key}`)
    }
  }
  compare(manifest, '')
  return [...faults, ...unknown]
}
