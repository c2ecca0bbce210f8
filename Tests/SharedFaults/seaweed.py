"""SeaweedFS as three masters, three volume servers that keep everything twice, and a filer with the S3 interface."""
import json
import os
import urllib.request

from hosts import wait_until

USERS = {"identities": [{
    "name": "owner", "credentials": [{"accessKey": "owner", "secretKey": "owner-secret"}],
    "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}
KEYS = {"AWS_ACCESS_KEY_ID": "owner", "AWS_SECRET_ACCESS_KEY": "owner-secret", "AWS_REGION": "us-east-1"}


class Node:
    """A machine with a master and a volume server."""

    def __init__(self, host):
        self.host = host
        self.master_ports, self.volume_ports = (host.port(), host.port()), (host.port(), host.port())
        self.master = self.volume = None
        for name in ("master", "volume"):
            os.mkdir(os.path.join(host.folder, name))

    @property
    def master_address(self):
        return f"{self.host.address}:{self.master_ports[0]}.{self.master_ports[1]}"


class Cluster:
    """All of it. The bucket is named media."""

    def __init__(self, network, weed, megabytes):
        self.weed = weed
        self.nodes = [Node(network.host(f"disk{number}", megabytes)) for number in (1, 2, 3)]
        self.gateway = network.host("gateway", 512)
        self.masters = ",".join(node.master_address for node in self.nodes)
        for node in self.nodes:
            self.start_master(node)
        for node in self.nodes:
            self.start_volume(node)
        self.start_gateway()

    def start_master(self, node):
        node.master = self.start(node.host, "master", [
            "-mdir=.", f"-ip={node.host.address}", f"-ip.bind={node.host.address}", f"-port={node.master_ports[0]}",
            f"-port.grpc={node.master_ports[1]}", f"-peers={self.masters}", "-defaultReplication=001",
            "-volumeSizeLimitMB=64", "-telemetry=false", "-electionTimeout=3s"])

    def start_volume(self, node):
        node.volume = self.start(node.host, "volume", [
            "-dir=.", f"-ip={node.host.address}", f"-ip.bind={node.host.address}", f"-port={node.volume_ports[0]}",
            f"-port.grpc={node.volume_ports[1]}", f"-master={self.masters}", "-max=200", "-preStopSeconds=0",
            "-minFreeSpace=1"])

    def start(self, host, kind, options):
        # A filer.toml in the working folder would be read.
        folder = os.path.join(host.folder, kind)
        os.makedirs(folder, exist_ok=True)
        # Each volume costs room at once.
        growth = {"WEED_MASTER_VOLUME_GROWTH_COPY_2": "2", "WEED_MASTER_VOLUME_GROWTH_COPY_1": "1"}
        return host.start(
            ["sh", "-c", 'cd "$0" && exec "$@"', folder, self.weed, kind, *options], f"{kind}-{host.name}", growth)

    def start_gateway(self):
        host, folder = self.gateway, os.path.join(self.gateway.folder, "filer")
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/s3.json", "w") as file:
            json.dump(USERS, file)
        self.ports = [host.port() for _ in range(4)]
        self.filer = self.start(host, "filer", [
            f"-master={self.masters}", f"-ip={host.address}", f"-ip.bind={host.address}", f"-port={self.ports[0]}",
            f"-port.grpc={self.ports[1]}", "-defaultReplicaPlacement=001", f"-localSocket={folder}/filer.sock"])
        filer = f"{host.address}:{self.ports[0]}.{self.ports[1]}"
        self.s3 = self.start(host, "s3", [
            f"-filer={filer}", f"-ip.bind={host.address}", f"-port={self.ports[2]}", f"-port.grpc={self.ports[3]}",
            "-port.iceberg=0", "-port.lance=0", "-iam=false", "-autoCreateBucket=false", f"-config={folder}/s3.json",
            f"-localFilerSocket={folder}/filer.sock", f"-localSocket={folder}/s3.sock"])
        self.endpoint = f"http://{host.address}:{self.ports[2]}"
        wait_until(self.answers, 90, "SeaweedFS's start")
        self.make_bucket()

    def answers(self):
        with urllib.request.urlopen(f"{self.endpoint}/healthz", timeout=3) as answer:
            return answer.status == 200

    def make_bucket(self):
        def made():
            self.gateway.run(
                ["sh", "-c", 'echo "s3.bucket.create -name media" | "$0" shell -master="$1" -filer="$2"', self.weed,
                 self.masters, f"{self.gateway.address}:{self.ports[0]}.{self.ports[1]}"], timeout=30)
            listed = self.gateway.run(
                ["sh", "-c", 'echo s3.bucket.list | "$0" shell -master="$1" -filer="$2"', self.weed, self.masters,
                 f"{self.gateway.address}:{self.ports[0]}.{self.ports[1]}"], timeout=30)
            return "media" in listed.stdout
        wait_until(made, 60, "making the bucket")

    @property
    def environment(self):
        return {**KEYS, "AWS_ENDPOINT_URL_S3": self.endpoint}
