// Written by `deno task facts:dump`.
import type { V1ObjectFieldSelector, V1ResourceFieldSelector } from "./core_v1_volumes.ts";

/** The TypeScript type of the Kubernetes API type `AppArmorProfile` of `v1`. */
export type V1AppArmorProfile = {
  /** The field `type` of `AppArmorProfile`: a string, one of `Localhost`, `RuntimeDefault`, `Unconfined`. */
  type: string;
  localhostProfile?: string;
};

/** The TypeScript type of the Kubernetes API type `Capabilities` of `v1`. */
export type V1Capabilities = {
  add?: string[];
  drop?: string[];
};

/** The TypeScript type of the Kubernetes API type `ConfigMapEnvSource` of `v1`. */
export type V1ConfigMapEnvSource = {
  /** The field `name` of `ConfigMapEnvSource`. @default {""} */
  name?: string;
  optional?: boolean;
};

/** The TypeScript type of the Kubernetes API type `ConfigMapKeySelector` of `v1`. */
export type V1ConfigMapKeySelector = {
  /** The field `name` of `ConfigMapKeySelector`. @default {""} */
  name?: string;
  key: string;
  optional?: boolean;
};

/** The TypeScript type of the Kubernetes API type `Container` of `v1`. */
export type V1Container = {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  /** The field `ports` of `Container`: a list with at most one item for each combination of `containerPort` and `protocol`. */
  ports?: V1ContainerPort[];
  envFrom?: V1EnvFromSource[];
  /** The field `env` of `Container`: a list with at most one item for each `name`. */
  env?: V1EnvVar[];
  resources?: V1ResourceRequirements;
  resizePolicy?: V1ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: V1ContainerRestartRule[];
  /** The field `volumeMounts` of `Container`: a list with at most one item for each `mountPath`. */
  volumeMounts?: V1VolumeMount[];
  /** The field `volumeDevices` of `Container`: a list with at most one item for each `devicePath`. */
  volumeDevices?: V1VolumeDevice[];
  livenessProbe?: V1Probe;
  readinessProbe?: V1Probe;
  startupProbe?: V1Probe;
  lifecycle?: V1Lifecycle;
  terminationMessagePath?: string;
  /** The field `terminationMessagePolicy` of `Container`: a string, one of `FallbackToLogsOnError`, `File`. */
  terminationMessagePolicy?: string;
  /** The field `imagePullPolicy` of `Container`: a string, one of `Always`, `IfNotPresent`, `Never`. */
  imagePullPolicy?: string;
  securityContext?: V1SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
};

/** The TypeScript type of the Kubernetes API type `ContainerPort` of `v1`. */
export type V1ContainerPort = {
  name?: string;
  hostPort?: number;
  containerPort: number;
  /** The field `protocol` of `ContainerPort`: a string, one of `SCTP`, `TCP`, `UDP`. @default {"TCP"} */
  protocol?: string;
  hostIP?: string;
};

/** The TypeScript type of the Kubernetes API type `ContainerResizePolicy` of `v1`. */
export type V1ContainerResizePolicy = {
  resourceName: string;
  restartPolicy: string;
};

/** The TypeScript type of the Kubernetes API type `ContainerRestartRule` of `v1`. */
export type V1ContainerRestartRule = {
  action: string;
  exitCodes?: V1ContainerRestartRuleOnExitCodes;
};

/** The TypeScript type of the Kubernetes API type `ContainerRestartRuleOnExitCodes` of `v1`. */
export type V1ContainerRestartRuleOnExitCodes = {
  operator: string;
  /** The field `values` of `ContainerRestartRuleOnExitCodes`: a list without duplicates. */
  values?: number[];
};

/** The TypeScript type of the Kubernetes API type `ContainerState` of `v1`. */
export type V1ContainerState = {
  waiting?: V1ContainerStateWaiting;
  running?: V1ContainerStateRunning;
  terminated?: V1ContainerStateTerminated;
};

/** The TypeScript type of the Kubernetes API type `ContainerStateRunning` of `v1`. */
export type V1ContainerStateRunning = {
  /** The field `startedAt` of `ContainerStateRunning`: an RFC 3339 time in whole seconds. */
  startedAt?: string;
};

/** The TypeScript type of the Kubernetes API type `ContainerStateTerminated` of `v1`. */
export type V1ContainerStateTerminated = {
  exitCode: number;
  signal?: number;
  reason?: string;
  message?: string;
  /** The field `startedAt` of `ContainerStateTerminated`: an RFC 3339 time in whole seconds. */
  startedAt?: string;
  /** The field `finishedAt` of `ContainerStateTerminated`: an RFC 3339 time in whole seconds. */
  finishedAt?: string;
  containerID?: string;
};

/** The TypeScript type of the Kubernetes API type `ContainerStateWaiting` of `v1`. */
export type V1ContainerStateWaiting = {
  reason?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `ContainerStatus` of `v1`. */
export type V1ContainerStatus = {
  name: string;
  state?: V1ContainerState;
  lastState?: V1ContainerState;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  started?: boolean;
  /** The field `allocatedResources` of `ContainerStatus`: a map, each value a quantity, such as `500m` or `2Gi`. */
  allocatedResources?: Record<string, string>;
  resources?: V1ResourceRequirements;
  /** The field `volumeMounts` of `ContainerStatus`: a list with at most one item for each `mountPath`. */
  volumeMounts?: V1VolumeMountStatus[];
  user?: V1ContainerUser;
  /** The field `allocatedResourcesStatus` of `ContainerStatus`: a list with at most one item for each `name`. */
  allocatedResourcesStatus?: V1ResourceStatus[];
  /** The field `stopSignal` of `ContainerStatus`: a string, one of `SIGABRT`, `SIGALRM`, `SIGBUS`, `SIGCHLD`, `SIGCLD`, `SIGCONT`, `SIGFPE`, `SIGHUP`, `SIGILL`, `SIGINT`, `SIGIO`, `SIGIOT`, `SIGKILL`, `SIGPIPE`, `SIGPOLL`, `SIGPROF`, `SIGPWR`, `SIGQUIT`, `SIGRTMAX`, `SIGRTMAX-1`, `SIGRTMAX-10`, `SIGRTMAX-11`, `SIGRTMAX-12`, `SIGRTMAX-13`, `SIGRTMAX-14`, `SIGRTMAX-2`, `SIGRTMAX-3`, `SIGRTMAX-4`, `SIGRTMAX-5`, `SIGRTMAX-6`, `SIGRTMAX-7`, `SIGRTMAX-8`, `SIGRTMAX-9`, `SIGRTMIN`, `SIGRTMIN+1`, `SIGRTMIN+10`, `SIGRTMIN+11`, `SIGRTMIN+12`, `SIGRTMIN+13`, `SIGRTMIN+14`, `SIGRTMIN+15`, `SIGRTMIN+2`, `SIGRTMIN+3`, `SIGRTMIN+4`, `SIGRTMIN+5`, `SIGRTMIN+6`, `SIGRTMIN+7`, `SIGRTMIN+8`, `SIGRTMIN+9`, `SIGSEGV`, `SIGSTKFLT`, `SIGSTOP`, `SIGSYS`, `SIGTERM`, `SIGTRAP`, `SIGTSTP`, `SIGTTIN`, `SIGTTOU`, `SIGURG`, `SIGUSR1`, `SIGUSR2`, `SIGVTALRM`, `SIGWINCH`, `SIGXCPU`, `SIGXFSZ`. */
  stopSignal?: string;
};

/** The TypeScript type of the Kubernetes API type `ContainerUser` of `v1`. */
export type V1ContainerUser = {
  linux?: V1LinuxContainerUser;
};

/** The TypeScript type of the Kubernetes API type `EnvFromSource` of `v1`. */
export type V1EnvFromSource = {
  prefix?: string;
  configMapRef?: V1ConfigMapEnvSource;
  secretRef?: V1SecretEnvSource;
};

/** The TypeScript type of the Kubernetes API type `EnvVar` of `v1`. */
export type V1EnvVar = {
  name: string;
  value?: string;
  valueFrom?: V1EnvVarSource;
};

/** The TypeScript type of the Kubernetes API type `EnvVarSource` of `v1`. */
export type V1EnvVarSource = {
  fieldRef?: V1ObjectFieldSelector;
  resourceFieldRef?: V1ResourceFieldSelector;
  configMapKeyRef?: V1ConfigMapKeySelector;
  secretKeyRef?: V1SecretKeySelector;
  fileKeyRef?: V1FileKeySelector;
};

/** The TypeScript type of the Kubernetes API type `EphemeralContainer` of `v1`. */
export type V1EphemeralContainer = {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  /** The field `ports` of `EphemeralContainer`: a list with at most one item for each combination of `containerPort` and `protocol`. */
  ports?: V1ContainerPort[];
  envFrom?: V1EnvFromSource[];
  /** The field `env` of `EphemeralContainer`: a list with at most one item for each `name`. */
  env?: V1EnvVar[];
  resources?: V1ResourceRequirements;
  resizePolicy?: V1ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: V1ContainerRestartRule[];
  /** The field `volumeMounts` of `EphemeralContainer`: a list with at most one item for each `mountPath`. */
  volumeMounts?: V1VolumeMount[];
  /** The field `volumeDevices` of `EphemeralContainer`: a list with at most one item for each `devicePath`. */
  volumeDevices?: V1VolumeDevice[];
  livenessProbe?: V1Probe;
  readinessProbe?: V1Probe;
  startupProbe?: V1Probe;
  lifecycle?: V1Lifecycle;
  terminationMessagePath?: string;
  /** The field `terminationMessagePolicy` of `EphemeralContainer`: a string, one of `FallbackToLogsOnError`, `File`. */
  terminationMessagePolicy?: string;
  /** The field `imagePullPolicy` of `EphemeralContainer`: a string, one of `Always`, `IfNotPresent`, `Never`. */
  imagePullPolicy?: string;
  securityContext?: V1SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
  targetContainerName?: string;
};

/** The TypeScript type of the Kubernetes API type `ExecAction` of `v1`. */
export type V1ExecAction = {
  command?: string[];
};

/** The TypeScript type of the Kubernetes API type `FileKeySelector` of `v1`. */
export type V1FileKeySelector = {
  volumeName: string;
  path: string;
  key: string;
  /** The field `optional` of `FileKeySelector`. @default {false} */
  optional?: boolean;
};

/** The TypeScript type of the Kubernetes API type `GRPCAction` of `v1`. */
export type V1GRPCAction = {
  port: number;
  /** The field `service` of `GRPCAction`. @default {""} */
  service?: string;
  /** The field `mode` of `GRPCAction`: a string, one of `Plaintext`, `TLS`. */
  mode?: string;
};

/** The TypeScript type of the Kubernetes API type `HTTPGetAction` of `v1`. */
export type V1HTTPGetAction = {
  path?: string;
  port: number | string;
  host?: string;
  /** The field `scheme` of `HTTPGetAction`: a string, one of `HTTP`, `HTTPS`. */
  scheme?: string;
  httpHeaders?: V1HTTPHeader[];
  /** The field `protocol` of `HTTPGetAction`: a string, one of `HTTP1`, `HTTP2`. */
  protocol?: string;
};

/** The TypeScript type of the Kubernetes API type `HTTPHeader` of `v1`. */
export type V1HTTPHeader = {
  name: string;
  value: string;
};

/** The TypeScript type of the Kubernetes API type `ImageVolumeStatus` of `v1`. */
export type V1ImageVolumeStatus = {
  imageRef: string;
};

/** The TypeScript type of the Kubernetes API type `Lifecycle` of `v1`. */
export type V1Lifecycle = {
  postStart?: V1LifecycleHandler;
  preStop?: V1LifecycleHandler;
  /** The field `stopSignal` of `Lifecycle`: a string, one of `SIGABRT`, `SIGALRM`, `SIGBUS`, `SIGCHLD`, `SIGCLD`, `SIGCONT`, `SIGFPE`, `SIGHUP`, `SIGILL`, `SIGINT`, `SIGIO`, `SIGIOT`, `SIGKILL`, `SIGPIPE`, `SIGPOLL`, `SIGPROF`, `SIGPWR`, `SIGQUIT`, `SIGRTMAX`, `SIGRTMAX-1`, `SIGRTMAX-10`, `SIGRTMAX-11`, `SIGRTMAX-12`, `SIGRTMAX-13`, `SIGRTMAX-14`, `SIGRTMAX-2`, `SIGRTMAX-3`, `SIGRTMAX-4`, `SIGRTMAX-5`, `SIGRTMAX-6`, `SIGRTMAX-7`, `SIGRTMAX-8`, `SIGRTMAX-9`, `SIGRTMIN`, `SIGRTMIN+1`, `SIGRTMIN+10`, `SIGRTMIN+11`, `SIGRTMIN+12`, `SIGRTMIN+13`, `SIGRTMIN+14`, `SIGRTMIN+15`, `SIGRTMIN+2`, `SIGRTMIN+3`, `SIGRTMIN+4`, `SIGRTMIN+5`, `SIGRTMIN+6`, `SIGRTMIN+7`, `SIGRTMIN+8`, `SIGRTMIN+9`, `SIGSEGV`, `SIGSTKFLT`, `SIGSTOP`, `SIGSYS`, `SIGTERM`, `SIGTRAP`, `SIGTSTP`, `SIGTTIN`, `SIGTTOU`, `SIGURG`, `SIGUSR1`, `SIGUSR2`, `SIGVTALRM`, `SIGWINCH`, `SIGXCPU`, `SIGXFSZ`. */
  stopSignal?: string;
};

/** The TypeScript type of the Kubernetes API type `LifecycleHandler` of `v1`. */
export type V1LifecycleHandler = {
  exec?: V1ExecAction;
  httpGet?: V1HTTPGetAction;
  tcpSocket?: V1TCPSocketAction;
  sleep?: V1SleepAction;
};

/** The TypeScript type of the Kubernetes API type `LinuxContainerUser` of `v1`. */
export type V1LinuxContainerUser = {
  uid: number;
  gid: number;
  supplementalGroups?: number[];
};

/** The TypeScript type of the Kubernetes API type `Probe` of `v1`. */
export type V1Probe = {
  exec?: V1ExecAction;
  httpGet?: V1HTTPGetAction;
  tcpSocket?: V1TCPSocketAction;
  grpc?: V1GRPCAction;
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: number;
};

/** The TypeScript type of the Kubernetes API type `ResourceClaim` of `v1`. */
export type CoreV1ResourceClaim = {
  name: string;
  request?: string;
};

/** The TypeScript type of the Kubernetes API type `ResourceHealth` of `v1`. */
export type V1ResourceHealth = {
  resourceID: string;
  health?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `ResourceRequirements` of `v1`. */
export type V1ResourceRequirements = {
  /** The field `limits` of `ResourceRequirements`: a map, each value a quantity, such as `500m` or `2Gi`. */
  limits?: Record<string, string>;
  /** The field `requests` of `ResourceRequirements`: a map, each value a quantity, such as `500m` or `2Gi`. */
  requests?: Record<string, string>;
  /** The field `claims` of `ResourceRequirements`: a list with at most one item for each `name`. */
  claims?: CoreV1ResourceClaim[];
};

/** The TypeScript type of the Kubernetes API type `ResourceStatus` of `v1`. */
export type V1ResourceStatus = {
  name: string;
  /** The field `resources` of `ResourceStatus`: a list with at most one item for each `resourceID`. */
  resources?: V1ResourceHealth[];
};

/** The TypeScript type of the Kubernetes API type `SELinuxOptions` of `v1`. */
export type V1SELinuxOptions = {
  user?: string;
  role?: string;
  type?: string;
  level?: string;
};

/** The TypeScript type of the Kubernetes API type `SeccompProfile` of `v1`. */
export type V1SeccompProfile = {
  /** The field `type` of `SeccompProfile`: a string, one of `Localhost`, `RuntimeDefault`, `Unconfined`. */
  type: string;
  localhostProfile?: string;
};

/** The TypeScript type of the Kubernetes API type `SecretEnvSource` of `v1`. */
export type V1SecretEnvSource = {
  /** The field `name` of `SecretEnvSource`. @default {""} */
  name?: string;
  optional?: boolean;
};

/** The TypeScript type of the Kubernetes API type `SecretKeySelector` of `v1`. */
export type V1SecretKeySelector = {
  /** The field `name` of `SecretKeySelector`. @default {""} */
  name?: string;
  key: string;
  optional?: boolean;
};

/** The TypeScript type of the Kubernetes API type `SecurityContext` of `v1`. */
export type V1SecurityContext = {
  capabilities?: V1Capabilities;
  privileged?: boolean;
  seLinuxOptions?: V1SELinuxOptions;
  windowsOptions?: V1WindowsSecurityContextOptions;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  /** The field `procMount` of `SecurityContext`: a string, one of `Default`, `Unmasked`. */
  procMount?: string;
  seccompProfile?: V1SeccompProfile;
  appArmorProfile?: V1AppArmorProfile;
};

/** The TypeScript type of the Kubernetes API type `SleepAction` of `v1`. */
export type V1SleepAction = {
  seconds: number;
};

/** The TypeScript type of the Kubernetes API type `TCPSocketAction` of `v1`. */
export type V1TCPSocketAction = {
  port: number | string;
  host?: string;
};

/** The TypeScript type of the Kubernetes API type `VolumeDevice` of `v1`. */
export type V1VolumeDevice = {
  name: string;
  devicePath: string;
};

/** The TypeScript type of the Kubernetes API type `VolumeMount` of `v1`. */
export type V1VolumeMount = {
  name: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  mountPath: string;
  subPath?: string;
  /** The field `mountPropagation` of `VolumeMount`: a string, one of `Bidirectional`, `HostToContainer`, `None`. */
  mountPropagation?: string;
  subPathExpr?: string;
  /** The field `bindMountOptions` of `VolumeMount`: a list without duplicates. */
  bindMountOptions?: string[];
};

/** The TypeScript type of the Kubernetes API type `VolumeMountStatus` of `v1`. */
export type V1VolumeMountStatus = {
  name: string;
  mountPath: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  volumeStatus?: V1VolumeStatus;
};

/** The TypeScript type of the Kubernetes API type `VolumeStatus` of `v1`. */
export type V1VolumeStatus = {
  image?: V1ImageVolumeStatus;
};

/** The TypeScript type of the Kubernetes API type `WindowsSecurityContextOptions` of `v1`. */
export type V1WindowsSecurityContextOptions = {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
};
