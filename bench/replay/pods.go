package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

type form int

const (
	asJSON form = iota
	asProtobuf
)

type kind int

const (
	added kind = iota
	modified
)

var kinds = [...]string{"ADDED", "MODIFIED"}

// pod is one pod, ready to send in each form.
type pod struct {
	// parts are whole watch events, by form and kind.
	parts [2][2]patched
	// items are list items, by form.
	items [2]patched
}

// patched is text with a resourceVersion of ten digits at a known place.
type patched struct {
	bytes []byte
	at    int
}

const placeholder = "8642097531"

func newPatched(text []byte) (patched, error) {
	at := bytes.Index(text, []byte(placeholder))
	if at < 0 || bytes.Count(text, []byte(placeholder)) != 1 {
		return patched{}, errors.New("the place of the resourceVersion is not clear")
	}
	return patched{text, at}, nil
}

func (p patched) appendTo(to []byte, version int) []byte {
	from := len(to)
	to = append(to, p.bytes...)
	strconv.AppendInt(to[from+p.at:from+p.at:from+p.at+len(placeholder)], int64(version), 10)
	return to
}

func (p *pod) event(to []byte, f form, k kind, version int) []byte {
	return p.parts[f][k].appendTo(to, version)
}

var scheme = func() *runtime.Scheme {
	s := runtime.NewScheme()
	corev1.AddToScheme(s)
	metav1.AddToGroupVersion(s, corev1.SchemeGroupVersion)
	return s
}()
var whole = protobuf.NewSerializer(scheme, scheme)

func readPods(in *bufio.Reader) ([]*pod, error) {
	var pods []*pod
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil, errors.New("the input ended before its empty line")
		}
		if err != nil {
			return nil, err
		}
		if len(line) == 1 {
			return pods, nil
		}
		p, err := newPod(bytes.TrimSpace(line))
		if err != nil {
			return nil, fmt.Errorf("pod %d: %w", len(pods), err)
		}
		pods = append(pods, p)
	}
}

func newPod(text []byte) (*pod, error) {
	var object corev1.Pod
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, err
	}
	old := []byte(`"resourceVersion":"` + object.ResourceVersion + `"`)
	text = bytes.Replace(text, old, []byte(`"resourceVersion":"`+placeholder+`"`), 1)
	object.ResourceVersion = placeholder
	p := &pod{}
	var failed error
	set := func(to *patched, text []byte) {
		made, err := newPatched(text)
		failed = errors.Join(failed, err)
		*to = made
	}
	packed := encode(&object)
	for k, name := range kinds {
		set(&p.parts[asJSON][k], fmt.Appendf(nil, `{"type":%q,"object":%s}`+"\n", name, text))
		set(&p.parts[asProtobuf][k], protobufEvent(name, packed))
	}
	item := bytes.Replace(text, []byte(`"kind":"Pod","apiVersion":"v1",`), nil, 1)
	set(&p.items[asJSON], item)
	raw, err := object.Marshal()
	if err != nil {
		return nil, err
	}
	set(&p.items[asProtobuf], raw)
	return p, failed
}

// encode writes the object as the server does: the magic bytes and an envelope with its type.
func encode(object runtime.Object) []byte {
	gvks, _, err := scheme.ObjectKinds(object)
	if err != nil {
		panic(err)
	}
	object.GetObjectKind().SetGroupVersionKind(gvks[0])
	var out bytes.Buffer
	if err := whole.Encode(object, &out); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func protobufEvent(kind string, object []byte) []byte {
	event := metav1.WatchEvent{Type: kind, Object: runtime.RawExtension{Raw: object}}
	raw, err := event.Marshal()
	if err != nil {
		panic(err)
	}
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(raw))), raw...)
}

func mustStatus(text string) []byte {
	var status metav1.Status
	if err := json.Unmarshal([]byte(text), &status); err != nil {
		panic(err)
	}
	return encode(&status)
}

func (f form) initialEnd(version int) []byte {
	if f == asJSON {
		return fmt.Appendf(nil, `{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":`+
			`{"resourceVersion":"%d","annotations":{"k8s.io/initial-events-end":"true"}}}}`+"\n", version)
	}
	bookmark := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		ResourceVersion: strconv.Itoa(version),
		Annotations:     map[string]string{metav1.InitialEventsAnnotationKey: "true"},
	}}
	return protobufEvent("BOOKMARK", encode(bookmark))
}

func (f form) listType() string {
	if f == asJSON {
		return "application/json"
	}
	return "application/vnd.kubernetes.protobuf"
}

func (f form) watchType() string {
	return f.listType() + map[form]string{asProtobuf: ";stream=watch"}[f]
}

func (f form) writeList(w io.Writer, r *run, from, to int, next string) {
	if f == asJSON {
		fmt.Fprintf(w, `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"%d","continue":%q},"items":[`,
			r.version, next)
		var text []byte
		for i := from; i < to; i++ {
			text = text[:0]
			if i > from {
				text = append(text, ',')
			}
			w.Write(r.pods[i].items[f].appendTo(text, r.versionOf(i)))
		}
		io.WriteString(w, "]}\n")
		return
	}
	// A list is its metadata (field 1) and its items (field 2).
	meta := metav1.ListMeta{ResourceVersion: strconv.Itoa(r.version), Continue: next}
	raw, _ := meta.Marshal()
	body := append(appendLength([]byte{1<<3 | 2}, len(raw)), raw...)
	for i := from; i < to; i++ {
		item := r.pods[i].items[f]
		body = appendLength(append(body, 2<<3|2), len(item.bytes))
		body = item.appendTo(body, r.versionOf(i))
	}
	unknown := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: "PodList"}, Raw: body}
	packed, _ := unknown.Marshal()
	w.Write([]byte("k8s\x00"))
	w.Write(packed)
}

func appendLength(to []byte, n int) []byte {
	return binary.AppendUvarint(to, uint64(n))
}
