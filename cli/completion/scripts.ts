/** The shells with a completion script. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** A shell with a completion script. */
export type Shell = typeof SHELLS[number];

/** The shell scripts that complete `kubectl-xca` by calling `kubectl-xca __complete`. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion for kubectl-xca
_kubectl_xca() {
  local head=\${COMP_LINE:0:COMP_POINT} line directive=0
  local -a words
  read -ra words <<< "$head"
  case $head in *[[:space:]]) words+=("") ;; esac
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) directive=\${line#:} ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(kubectl-xca __complete "\${words[@]:1}" 2>/dev/null)
  if [ $((directive & 2)) != 0 ]; then compopt -o nospace; fi
  if [ "$directive" = 0 ]; then
    while IFS= read -r line; do
      COMPREPLY+=("$line")
    done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
  fi
}
complete -F _kubectl_xca kubectl-xca
`,
  zsh: `#compdef kubectl-xca
_kubectl_xca() {
  local line directive=0
  local -a asked candidates
  asked=("\${(@)words[2,CURRENT]}")
  while IFS= read -r line; do
    case $line in
      :*) directive=\${line#:} ;;
      *) candidates+=("\${\${line//:/\\\\:}/$'\\t'/:}") ;;
    esac
  done < <(kubectl-xca __complete "\${asked[@]}" 2>/dev/null)
  [[ \${words[CURRENT]} == -*=* ]] && compset -P '*='
  local -a suffix
  (( directive & 2 )) && suffix=(-S '')
  (( \${#candidates} )) && _describe 'kubectl-xca' candidates "\${suffix[@]}"
  [[ $directive == 0 ]] && _files
}
compdef _kubectl_xca kubectl-xca
`,
  fish: `# fish completion for kubectl-xca
function __kubectl_xca
  set -l words (commandline -opc) (commandline -ct)
  set -l prefix (string match -r -- '^-.*=' (commandline -ct))
  for line in (kubectl-xca __complete $words[2..-1] 2>/dev/null)
    switch $line
      case ':0'
        __fish_complete_path (commandline -ct)
      case ':*'
      case '*'
        echo $prefix$line
    end
  end
end
complete -c kubectl-xca -f -a '(__kubectl_xca)'
`,
};
