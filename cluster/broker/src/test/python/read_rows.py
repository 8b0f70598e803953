"""Prints rows of a topic as Confluent's client for Python reads them, with a real registry's schemas.

read_rows.py BROKER REGISTRY TOPIC: a line of JSON for each committed record that is there now,
[schema's number, {field: value}]; times and intervals are nanoseconds.
"""

import json
import os
import sys
import tempfile

import grpc_tools
from confluent_kafka import Consumer, KafkaError
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer
from confluent_kafka.schema_registry.protobuf import ProtobufDeserializer
from confluent_kafka.serialization import MessageField, SerializationContext
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_tools import protoc

INCLUDED = os.path.join(os.path.dirname(grpc_tools.__file__), "_proto")


def message_class(text, directory):
    """What protoc makes of a schema's first message, in a pool of its own: versions share names."""
    with open(os.path.join(directory, "rows.proto"), "w", encoding="utf-8") as file:
        file.write(text)
    made = os.path.join(directory, "rows.desc")
    command = ["protoc", "-I" + directory, "-I" + INCLUDED, "--include_imports"]
    if protoc.main(command + ["--descriptor_set_out=" + made, "rows.proto"]):
        sys.exit(f"protoc refuses\n{text}")
    with open(made, "rb") as file:
        files = descriptor_pb2.FileDescriptorSet.FromString(file.read()).file
    pool = descriptor_pool.DescriptorPool()
    for file in files:
        pool.Add(file)
    rows = pool.FindFileByName("rows.proto")
    return message_factory.GetMessageClass(next(iter(rows.message_types_by_name.values())))


def plain(value):
    return value.ToNanoseconds() if hasattr(value, "ToNanoseconds") else value


def fields(message):
    return {
        field.name: None
        if field.has_presence and not message.HasField(field.name)
        else plain(getattr(message, field.name))
        for field in message.DESCRIPTOR.fields
    }


def reader(registry, number, directory):
    """Reads values of one schema."""
    schema = registry.get_schema(number)
    if schema.schema_type == "PROTOBUF":
        message = message_class(schema.schema_str, directory)
        proto = ProtobufDeserializer(message, {"use.deprecated.format": False})
        return lambda value, context: fields(proto(value, context))
    return AvroDeserializer(registry)


def main(broker, url, topic):
    registry = SchemaRegistryClient({"url": url})
    consumer = Consumer(
        {
            "bootstrap.servers": broker,
            "group.id": "read_rows",
            "auto.offset.reset": "earliest",
            "isolation.level": "read_committed",
            "enable.partition.eof": True,
        }
    )
    consumer.subscribe([topic])
    readers = {}
    with tempfile.TemporaryDirectory() as directory:
        while True:
            record = consumer.poll(30)
            if record is None:
                sys.exit("nothing comes, and no end")
            if record.error():
                if record.error().code() == KafkaError._PARTITION_EOF:
                    break
                sys.exit(str(record.error()))
            value = record.value()
            number = int.from_bytes(value[1:5], "big")
            if number not in readers:
                readers[number] = reader(registry, number, directory)
            row = readers[number](value, SerializationContext(topic, MessageField.VALUE))
            print(json.dumps([number, row], separators=(",", ":")))
    consumer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
